import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose } from "../testing/graph-bench.ts";

const COUNT = 20_000;
const DELTA = `/v1.0/users/${ALEX}/mailFolders/inbox/messages/delta?$select=subject`;

function filled() {
  const bench = createGraphBench({ switches: { messageDeltaPageSize: 500 } });
  bench.admin.addLazyMailbox(ALEX, "inbox", COUNT, (index) => ({
    subject: `generated ${index}`,
    receivedAt: Date.UTC(2025, 0, 1) + index * 1000,
  }));
  return bench;
}

describe("a mailbox of generated messages", () => {
  it("is walked once through by delta without keeping any of them", async () => {
    const bench = filled();
    const subjects = new Set<string>();
    let [link, count] = [DELTA, 0];
    for (;;) {
      const { json } = await bench.get(link);
      for (const each of json.value) subjects.add(each.subject);
      count += json.value.length;
      if (json["@odata.deltaLink"]) break;
      link = json["@odata.nextLink"];
    }
    expect([count, subjects.size]).toEqual([COUNT, COUNT]);
    expect(bench.admin.mailboxTruth(ALEX)).toEqual([]);
  });

  it("becomes ordinary where it is touched, and only there", async () => {
    const bench = filled();
    const messages = `/v1.0/users/${ALEX}/mailFolders/inbox/messages`;
    const deep = (await bench.get(`${messages}?$skip=${COUNT - 3}&$select=subject`)).json.value;
    expect(deep.map((each: Loose) => each.subject)).toEqual([
      "generated 2",
      "generated 1",
      "generated 0",
    ]);
    bench.admin.markRead(ALEX, deep[1].id);
    const moved = await bench.post(`/v1.0/users/${ALEX}/messages/${deep[0].id}/move`, {
      destinationId: "archive",
    });
    expect(moved.json.subject).toBe("generated 2");
    expect(bench.admin.mailboxTruth(ALEX)).toHaveLength(2);
    const inbox = await bench.get(`/v1.0/users/${ALEX}/mailFolders/inbox`);
    expect(inbox.json).toMatchObject({ totalItemCount: COUNT - 1, unreadItemCount: COUNT - 2 });
    const all: string[] = [];
    for (let link = `${messages}?$top=1000&$select=subject`; link; ) {
      const { json } = await bench.get(link);
      all.push(...json.value.map((each: Loose) => each.subject));
      link = json["@odata.nextLink"];
    }
    expect(new Set(all).size).toBe(COUNT - 1);
    expect(all).toHaveLength(COUNT - 1);
  });

  it("mail that arrives meanwhile stands first and shows in the next round", async () => {
    const bench = filled();
    await bench.admin.sendMail({ to: ALEX, subject: "fresh" });
    const { json } = await bench.get(`/v1.0/users/${ALEX}/messages?$top=2&$select=subject`);
    expect(json.value.map((each: Loose) => each.subject)).toEqual([
      "fresh",
      `generated ${COUNT - 1}`,
    ]);
  });
});
