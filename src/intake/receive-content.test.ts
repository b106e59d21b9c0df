import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../test/helpers/database.ts";
import { createLog } from "../lib/log.ts";
import { openDatabase } from "../store/database.ts";
import { createContentReceiver, type SealedItem } from "./receive-content.ts";

async function aReceiver({ statementTimeoutMs = 30_000 } = {}) {
  const database = await freshDatabase();
  const intakeDatabase = openDatabase({ url: database.url, connections: 3, statementTimeoutMs });
  const receiver = createContentReceiver({
    database,
    intakeDatabase,
    keys: {} as never,
    checkTokens: async () => new Set(),
    log: createLog({ level: "silent" }),
    onOpened: () => {},
  });
  return { database, intakeDatabase, receiver };
}

let count = 0;
const item = (): SealedItem => {
  count += 1;
  const key = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  const row = { key, subscription: 1, change: 1, messageId: `m${count}` };
  return { row, tenantId: null, content: {} as never };
};

describe("notifications with content", () => {
  it("of many requests are written in one commit", async () => {
    const { database, intakeDatabase, receiver } = await aReceiver();
    await Promise.all(Array.from({ length: 50 }, () => receiver.accept([item(), item()])));
    const { rows } = await database.query<{ rows: number; commits: number }>(
      "SELECT count(*) AS rows, count(DISTINCT xmin::text) AS commits FROM postroom.notification",
    );
    expect(rows[0]!.rows).toBe(100);
    expect(rows[0]!.commits).toBeLessThan(10);
    await intakeDatabase.close();
  });

  it("are refused before Graph gives up when the database does not write them", async () => {
    const { database, intakeDatabase, receiver } = await aReceiver({ statementTimeoutMs: 500 });
    await database.transaction(async (tx) => {
      await tx.query("LOCK TABLE postroom.notification IN ACCESS EXCLUSIVE MODE");
      // The lock is held until the refusal has come.
      await expect(receiver.accept([item()])).rejects.toMatchObject({
        code: expect.stringMatching(/^store\./),
      });
    });
    const isAccepted = () =>
      receiver.accept([item()]).then(
        () => true,
        () => false,
      );
    await expect.poll(isAccepted).toBe(true);
    await intakeDatabase.close();
  });

  it("are refused immediately when too many wait", async () => {
    const { intakeDatabase, receiver } = await aReceiver();
    const flood = Array.from({ length: 50_001 }, item);
    await expect(receiver.accept(flood)).rejects.toThrow("too many notifications are waiting");
    await intakeDatabase.close();
  });
});
