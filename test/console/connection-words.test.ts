/** What a page says about a mailbox that its owner connected. */
import { describe, expect, it } from "vitest";

// Not a plain import: the words name the tones of a file with JSX, which these settings of TypeScript do not read.
const { describeConnection, appOf } = (await import(
  "../../console/src/screens/mailboxes/connection-words.ts" as string
)) as {
  describeConnection(mailbox: object, as: { isMine: boolean }): Record<string, unknown>;
  appOf(mailbox: object | undefined): string;
};

const mailbox = (
  status: string,
  statusReason: string | null = null,
  connection = "person:app:1",
) => ({
  ...{ status, statusReason, connection },
});
const WITHDRAWN = "the consent was withdrawn; its owner must connect it again";

describe("the words for a connected mailbox", () => {
  it("say to its owner why it is no longer read, and offer to connect it again with the same app", () => {
    const ended = mailbox("unreachable", WITHDRAWN);
    expect(describeConnection(ended, { isMine: true })).toEqual({
      ...{ tone: "failed", word: "Disconnected", canConnect: true },
      says: "Postroom no longer reads it: the consent was withdrawn. Connect it again; Postroom then reads what it missed.",
    });
    expect(appOf(ended)).toBe("app");
    expect(appOf(undefined)).toBe("default");
  });

  it("offer nothing that somebody else, or an administrator's permission, must mend", () => {
    const others = describeConnection(mailbox("unreachable", WITHDRAWN), { isMine: false });
    expect(others).toMatchObject({ canConnect: false });
    expect(others["says"]).toContain("Its owner must connect it again");
    const company = describeConnection(mailbox("unreachable", "no licence", "default"), {
      isMine: true,
    });
    expect(company).toMatchObject({ word: "Unreachable", canConnect: false });
  });

  it("call a mailbox connected only if its owner connected it, and paused whoever did", () => {
    const wordOf = (...given: Parameters<typeof mailbox>) =>
      describeConnection(mailbox(...given), { isMine: true })["word"];
    expect(wordOf("active")).toBe("Connected");
    expect(wordOf("active", null, "default")).toBe("Watched");
    expect(wordOf("paused")).toBe("Paused");
  });
});
