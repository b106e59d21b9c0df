import fc from "fast-check";
import { expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose } from "../testing/graph-bench.ts";

const FOLDERS = ["inbox", "archive", "deleteditems"];
const RUDENESS = ["empty-page", "duplicate-delta", "replay-delta", "expire-delta", "reset-delta"];
const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' };

type Move =
  | { do: "send"; folder: number; lagMs: number }
  | { do: "read" | "categorize" | "delete"; message: number }
  | { do: "move" | "drag" | "copy"; message: number; folder: number }
  | { do: "sync"; folder: number; pages: number }
  | { do: "arm"; kind: number }
  | { do: "wait" };

const folder = fc.nat(FOLDERS.length - 1);
const message = fc.nat(30);
const step: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      folder,
      lagMs: fc.constantFrom(0, 0, 0, 5000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("read" as const, "categorize" as const, "delete" as const),
      message,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("move" as const, "drag" as const, "copy" as const),
      message,
      folder,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("sync" as const),
      folder,
      pages: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("arm" as const), kind: fc.nat(RUDENESS.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
);

/** A correct client: one link per folder, items merged by id, a fresh start on 410. */
function createClient(bench: ReturnType<typeof createGraphBench>) {
  const links = new Map<string, string>();
  const known = new Map(FOLDERS.map((name) => [name, new Map<string, Loose>()]));
  /** True if the round has ended. */
  const readPage = async (name: string): Promise<boolean> => {
    const start = `/v1.0/users/${ALEX}/mailFolders/${name}/messages/delta?$select=isRead,categories`;
    const { status, json, headers } = await bench.get(links.get(name) ?? start, IMMUTABLE);
    const items = known.get(name)!;
    if (status === 410) {
      items.clear();
      if (headers?.["location"]) links.set(name, headers["location"]);
      else links.delete(name);
      return false;
    }
    for (const item of json.value) {
      if (item["@removed"]) items.delete(item.id);
      else items.set(item.id, { isRead: item.isRead, categories: item.categories });
    }
    links.set(name, json["@odata.deltaLink"] ?? json["@odata.nextLink"]);
    return json["@odata.deltaLink"] !== undefined;
  };
  return { known, readPage };
}

async function run(steps: readonly Move[]) {
  const bench = createGraphBench({ switches: { messageDeltaPageSize: 3 } });
  const client = createClient(bench);
  const pick = (index: number) => {
    const truth = bench.admin.mailboxTruth(ALEX);
    return truth.length === 0 ? null : truth[index % truth.length]!.immutableId;
  };
  for (const each of steps) {
    if (each.do === "send") {
      await bench.admin.sendMail({
        to: ALEX,
        folder: FOLDERS[each.folder]!,
        visibleAfterMs: each.lagMs,
      });
    } else if (each.do === "sync") {
      for (let page = 0; page < each.pages; page++) await client.readPage(FOLDERS[each.folder]!);
    } else if (each.do === "arm") {
      bench.faults.arm({ kind: RUDENESS[each.kind]!, remaining: 1 });
    } else if (each.do === "wait") {
      await bench.clock.advance(10_000);
    } else {
      const id = pick(each.message);
      if (id !== null) change(bench, each, id);
    }
    await bench.clock.advance(1000);
  }
  return { bench, client };
}

function change(bench: ReturnType<typeof createGraphBench>, each: Move, id: string): void {
  const { admin } = bench;
  if (each.do === "read") admin.markRead(ALEX, id);
  if (each.do === "categorize") admin.categorize(ALEX, id, [String(bench.clock.now())]);
  if (each.do === "delete") admin.hardDelete(ALEX, id);
  if (each.do === "move") admin.move(ALEX, id, FOLDERS[each.folder]!);
  if (each.do === "drag") admin.dragToFolder(ALEX, id, FOLDERS[each.folder]!);
  if (each.do === "copy") admin.copy(ALEX, id, FOLDERS[each.folder]!);
}

it("whatever happens meanwhile, a client that follows the links ends up with the true state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const { bench, client } = await run(steps);
      bench.faults.disarm();
      await bench.clock.advance(10_000);
      for (const name of FOLDERS) {
        // The current round may have begun before the last change; the next one has not.
        for (let rounds = 0; rounds < 2; ) if (await client.readPage(name)) rounds += 1;
        const truth = bench.admin.mailboxTruth(ALEX).filter((each) => each.folder === name);
        const expected = new Map(
          truth.map(({ immutableId, isRead, categories }) => [immutableId, { isRead, categories }]),
        );
        expect(client.known.get(name)).toEqual(expected);
      }
    }),
    { numRuns: 150, seed: 20260105 },
  );
});

it("every change reaches a subscription that asked for it exactly once, and nothing else does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const bench = createGraphBench({ switches: { moveNotification: "updated" } });
      await bench.subscribe({}, IMMUTABLE);
      for (const each of steps) {
        if (each.do === "send")
          await bench.admin.sendMail({ to: ALEX, folder: FOLDERS[each.folder]! });
        else if ("message" in each) {
          const truth = bench.admin.mailboxTruth(ALEX);
          if (truth.length > 0)
            change(bench, each, truth[each.message % truth.length]!.immutableId);
        }
      }
      await bench.clock.advance(5000);
      const kinds: Record<string, string> = {
        "message.created": "created",
        "message.updated": "updated",
        "message.moved": "updated",
        "message.deleted": "deleted",
      };
      const happened = bench.journal
        .entries()
        .filter((entry) => entry.kind in kinds)
        .map((entry) => [kinds[entry.kind], entry["immutableId"]]);
      expect(bench.items().map((item) => [item.changeType, item.resourceData.id])).toEqual(
        happened,
      );
    }),
    { numRuns: 60, seed: 20260106 },
  );
});
