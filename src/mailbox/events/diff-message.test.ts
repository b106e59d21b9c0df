import { describe, expect, it } from "vitest";
import { type GraphMessage, type MessageState, toMessageState } from "../messages/message.ts";
import { diffMessage } from "./diff-message.ts";

const FOLDERS = { deletedItems: "bin", sentItems: "sent" };
const NOW = new Date("2026-03-02T08:00:00Z");

function aState(more: Partial<MessageState> = {}): MessageState {
  return { ...toMessageState({ id: "m", changeKey: "k1" }, null, "inbox", NOW), ...more };
}
const happened = (before: MessageState | null, after: MessageState) =>
  diffMessage(before, after, FOLDERS).map((happening) => happening.type);

describe("what happened to a message", () => {
  it.each<[string, MessageState | null, Partial<MessageState>, string[]]>([
    ["first seen", null, {}, ["arrived"]],
    ["first seen among the sent items", null, { folderId: "sent" }, ["sent"]],
    ["first seen as a draft there", null, { folderId: "sent", isDraft: true }, ["arrived"]],
    ["moved", aState(), { folderId: "archive" }, ["moved"]],
    ["moved to the bin", aState(), { folderId: "bin" }, ["moved"]],
    ["taken out of the bin", aState({ folderId: "bin" }), {}, ["restored"]],
    ["read", aState(), { isRead: true }, ["read"]],
    ["marked unread", aState({ isRead: true }), {}, ["unread"]],
    ["flagged", aState(), { flag: "flagged" }, ["flagged"]],
    ["put into a category", aState(), { categories: ["Red"] }, ["categorized"]],
    ["gone", aState(), { isDeleted: true }, ["deleted"]],
    ["gone again", aState({ isDeleted: true }), { isDeleted: true }, []],
    ["back from nowhere", aState({ isDeleted: true }), {}, ["restored"]],
    ["sent from a draft", aState({ isDraft: true }), { folderId: "sent" }, ["sent"]],
    [
      "several at once",
      aState(),
      { folderId: "x", isRead: true, flag: "f" },
      ["moved", "read", "flagged"],
    ],
    [
      "the same but for the order of its categories",
      aState({ categories: ["a", "b"] }),
      { categories: ["b", "a"] },
      [],
    ],
    ["nothing", aState(), {}, []],
  ])("%s [X-14] [OBS-13] [H-12]", (_, before, after, types) => {
    expect(happened(before, aState(after))).toEqual(types);
  });

  it("an event that can repeat is identified by its change, one that cannot repeat is not [OBS-02]", () => {
    const change = (before: MessageState | null, after: Partial<MessageState>) =>
      diffMessage(before, aState(after), FOLDERS)[0]!.change;
    expect(change(null, {})).toBe("");
    expect(change(aState(), { isDeleted: true })).toBe("");
    expect(change(aState(), { isRead: true, changeKey: "k2" })).toBe("k2");
    expect(change(aState(), { isRead: true, changeKey: "k3", lives: 1 })).toBe("k3#1");
    expect(change(aState({ isDeleted: true }), { lives: 1 })).toBe("#1");
    expect(change(aState(), { isRead: true, changeKey: "" })).toBe(String(NOW.getTime()));
  });

  it("an event names the folder a message came from and the id it had before [OBS-13]", () => {
    expect(diffMessage(aState(), aState({ folderId: "archive" }), FOLDERS)[0]).toMatchObject({
      fromFolder: "inbox",
    });
    const related = { messageId: "old", wasDraft: false };
    expect(diffMessage(null, aState(), FOLDERS, related)).toEqual([
      { type: "re-keyed", change: "", fromFolder: null, relatedMessageId: "old" },
    ]);
    expect(diffMessage(null, aState(), FOLDERS, { ...related, wasDraft: true })[0]!.type).toBe(
      "sent",
    );
  });
});

describe("what we keep of a message", () => {
  const state = (message: Partial<GraphMessage>, known: MessageState | null = null) =>
    toMessageState({ id: "m", ...message }, known, "inbox", NOW);

  it("a state has defaults for properties that Graph leaves out [OBS-12] [OBS-11]", () => {
    expect(state({})).toMatchObject({
      hasAttachments: false,
      categories: [],
      isRead: false,
      receivedAt: null,
      importance: "normal",
      folderId: "inbox",
      flag: "notFlagged",
    });
    expect(state({ importance: "High" }).importance).toBe("high");
    expect(state({ importance: "urgent" }).importance).toBe("normal");
  });

  it("a state has the sender in lower case, or null [OBS-07]", () => {
    const from = { emailAddress: { name: "Desk", address: "Desk@Broker.Example" } };
    expect(state({ from })).toMatchObject({
      senderName: "Desk",
      senderEmail: "desk@broker.example",
    });
    expect(state({ from: null })).toMatchObject({ senderName: null, senderEmail: null });
  });

  it.each([
    ["List-Unsubscribe", { hasListUnsubscribe: true, isAutomated: false }],
    ["LIST-UNSUBSCRIBE", { hasListUnsubscribe: true, isAutomated: false }],
    ["x-auto-response-suppress", { hasListUnsubscribe: false, isAutomated: true }],
    ["X-Auto-Response-Suppress", { hasListUnsubscribe: false, isAutomated: true }],
    ["Subject", { hasListUnsubscribe: false, isAutomated: false }],
  ])(
    "newsletters and automated mail are recognised by the header %s [OBS-08] [OBS-10]",
    (name, flags) => {
      expect(state({ internetMessageHeaders: [{ name, value: "" }] })).toMatchObject(flags);
    },
  );

  it("a state keeps its known values if a sparse answer omits them", () => {
    const known = state({ subject: "Known", isRead: true, categories: ["Red"], from: null });
    expect(state({ isRead: false, changeKey: "k2" }, known)).toMatchObject({
      subject: "Known",
      isRead: false,
      categories: ["Red"],
      changeKey: "k2",
    });
  });

  it("a state can be stored whatever the subject contains", () => {
    expect(state({ subject: "a\0b\ud800" }).subject).toBe("a\ufffdb\ufffd");
  });
});
