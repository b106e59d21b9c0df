import { beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  type GraphTarget,
  IMMUTABLE,
  type Loose,
  makeMessage,
  until,
} from "./graph-target.ts";

interface Round {
  readonly items: Loose[];
  readonly deltaLink: string;
}

/** Delta over the messages of a folder. */
export function testDelta(
  name: string,
  open: () => Promise<GraphTarget>,
  can: readonly ("faults" | "many")[],
): void {
  describe(name, () => {
    let target: GraphTarget;
    let folders: string;
    beforeAll(async () => {
      target = await open();
      folders = `/users/${target.mailbox}/mailFolders`;
    });

    const newFolder = async (): Promise<string> => {
      const body = { displayName: `Delta ${target.now()} ${Math.floor(performance.now() * 1000)}` };
      return (await ask(target, folders, { method: "POST", body })).json.id;
    };
    const put = async (folder: string, subject: string): Promise<Loose> => {
      const path = `${folders}/${folder}/messages`;
      return (await ask(target, path, { method: "POST", body: { subject }, headers: IMMUTABLE }))
        .json;
    };
    const walk = async (start: string): Promise<Round> => {
      const items: Loose[] = [];
      for (let link = start; ; ) {
        const { json, status } = await ask(target, link, {
          headers: { Prefer: `${IMMUTABLE.Prefer}, odata.maxpagesize=2` },
        });
        expect(status).toBe(200);
        expect([json["@odata.nextLink"], json["@odata.deltaLink"]].filter(Boolean)).toHaveLength(1);
        items.push(...json.value);
        if (json["@odata.deltaLink"]) return { items, deltaLink: json["@odata.deltaLink"] };
        link = json["@odata.nextLink"];
      }
    };
    const deltaOf = (folder: string, query = "") => `${folders}/${folder}/messages/delta${query}`;

    // https://learn.microsoft.com/graph/api/message-delta
    it("the first round returns everything, the next only changes", async () => {
      const folder = await newFolder();
      const made = [await put(folder, "a"), await put(folder, "b"), await put(folder, "c")];
      const first = await walk(deltaOf(folder, "?$select=subject"));
      expect(new Set(first.items.map((each) => each.id))).toEqual(
        new Set(made.map((each) => each.id)),
      );
      const fresh = await put(folder, "d");
      let next: Round = first;
      const seen: Loose[] = [];
      await until(target, async () => {
        next = await walk(next.deltaLink);
        seen.push(...next.items);
        return seen.some((each) => each.id === fresh.id);
      });
      expect(seen.find((each) => each.id === fresh.id).subject).toBe("d");
    });

    // https://learn.microsoft.com/graph/delta-query-messages
    it("a message that was moved out is @removed with the reason deleted", async () => {
      const folder = await newFolder();
      const made = await put(folder, "leaving");
      let round = await walk(deltaOf(folder));
      await ask(target, `/users/${target.mailbox}/messages/${made.id}/move`, {
        method: "POST",
        body: { destinationId: "archive" },
        headers: IMMUTABLE,
      });
      const seen: Loose[] = [];
      await until(target, async () => {
        round = await walk(round.deltaLink);
        seen.push(...round.items);
        return seen.length > 0;
      });
      expect(seen.at(-1)).toMatchObject({ id: made.id, "@removed": { reason: "deleted" } });
    });

    // https://learn.microsoft.com/graph/delta-query-messages#use-query-parameters-in-a-delta-query-for-messages
    it("a page size is a preference that is confirmed, and other filters are refused", async () => {
      const answer = await ask(target, deltaOf("inbox"), {
        headers: { Prefer: "odata.maxpagesize=2" },
      });
      expect(answer.headers.get("preference-applied")).toContain("odata.maxpagesize=2");
      expect((await ask(target, deltaOf("inbox", "?$filter=isRead eq true"))).status).toBe(400);
      expect((await ask(target, deltaOf("inbox", '?$search="x"'))).status).toBe(400);
    });

    // https://learn.microsoft.com/graph/delta-query-overview#state-tokens
    it("links can be read with either form of id", async () => {
      const folder = await newFolder();
      await put(folder, "both");
      const first = await ask(target, deltaOf(folder));
      expect(first.json.value).toHaveLength(1);
      const again = await ask(target, deltaOf(folder), { headers: IMMUTABLE });
      expect(again.json.value[0].id).not.toBe(first.json.value[0].id);
    });

    if (can.includes("faults")) {
      // https://learn.microsoft.com/graph/paging
      it("a page may be empty and still lead on", async () => {
        const folder = await newFolder();
        await put(folder, "behind");
        target.arm!({ kind: "empty-page", remaining: 1 });
        const empty = await ask(target, deltaOf(folder));
        expect(empty.json.value).toEqual([]);
        expect((await walk(empty.json["@odata.nextLink"])).items).toHaveLength(1);
      });

      // https://learn.microsoft.com/graph/delta-query-overview#replays
      it("changes may be replayed", async () => {
        const folder = await newFolder();
        await put(folder, "again");
        const first = await walk(deltaOf(folder));
        target.arm!({ kind: "replay-delta", remaining: 1 });
        expect((await walk(first.deltaLink)).items).toHaveLength(1);
      });

      // https://learn.microsoft.com/graph/delta-query-overview#token-duration
      it("a link with three newer generations is gone: 410 SyncStateNotFound", async () => {
        const folder = await newFolder();
        const old = await walk(deltaOf(folder));
        let newest = old;
        for (let generation = 0; generation < 3; generation++)
          newest = await walk(newest.deltaLink);
        const answer = await ask(target, old.deltaLink);
        expect([answer.status, answer.json.error.code]).toEqual([410, "SyncStateNotFound"]);
      });

      // https://learn.microsoft.com/graph/delta-query-overview#synchronization-reset
      it("a reset answers 410 with a Location to start over from", async () => {
        const folder = await newFolder();
        await put(folder, "kept");
        const { deltaLink } = await walk(deltaOf(folder));
        target.arm!({ kind: "reset-delta", remaining: 1 });
        const reset = await ask(target, deltaLink);
        expect(reset.status).toBe(410);
        expect((await walk(reset.headers.get("location")!)).items).toHaveLength(1);
      });
    }

    if (can.includes("many")) {
      // https://learn.microsoft.com/graph/delta-query-messages#use-query-parameters-in-a-delta-query-for-messages
      it("a filter ends the first round at 5,000 messages", async () => {
        target.fill!("junkemail", 6_000);
        let count = 0;
        for (
          let link = deltaOf(
            "junkemail",
            "?$select=subject&$top=1000&$filter=receivedDateTime ge 2000-01-01T00:00:00Z",
          );
          link;
        ) {
          const { json } = await ask(target, link);
          count += json.value.length;
          link = json["@odata.nextLink"];
        }
        expect(count).toBe(5000);
      });
    }

    // https://learn.microsoft.com/graph/api/mailfolder-delta
    it("the folders have their own delta", async () => {
      const first = await walk(`${folders}/delta`);
      const id = await newFolder();
      const made = await makeMessage(target, "elsewhere");
      let round = first;
      const seen: Loose[] = [];
      await until(target, async () => {
        round = await walk(round.deltaLink);
        seen.push(...round.items);
        return seen.some((each) => each.id === id);
      });
      expect(seen.some((each) => each.id === made.id)).toBe(false);
    });
  });
}
