import { expect, it } from "vitest";
import { freshDatabase } from "../../test/helpers/database.ts";
import { createManualClock } from "../lib/clock.ts";
import type { Database } from "./database.ts";
import { keepLease } from "./keep-lease.ts";
import { isLeased, type LeaseTable, releaseLease, renewLease, takeLease } from "./lease.ts";
import { putTicket, useTicket, withLease } from "./named-lease.ts";

const TABLE: LeaseTable = {
  name: "postroom.lease",
  clock: "postroom.now()",
  takeover: { key: "name", set: "token = nextval('postroom.lease_token')", isOnlyAfterEnd: true },
  returning: "token",
};
const [first, second] = ["first", "second"].map((owner) => ({ name: "thing", owner }));

const take = (database: Database, holder = first!) =>
  takeLease<{ token: number }>(database, TABLE, holder, 60_000);
const expire = (database: Database) =>
  database.query("UPDATE postroom.lease SET until = postroom.now() - interval '1 ms'");

it("one holder has a lease until it ends or is released, and each has a higher token", async () => {
  const database = await freshDatabase();
  const { token } = (await take(database))!;
  expect(await take(database, second)).toBe(null);
  await expire(database);
  const after = (await take(database, second))!;
  expect(after.token).toBeGreaterThan(token);
  await releaseLease(database, TABLE, second!);
  expect((await take(database))!.token).toBeGreaterThan(after.token);
});

it("a holder whose lease has passed on can neither renew nor release it", async () => {
  const database = await freshDatabase();
  await take(database);
  expect(await renewLease(database, TABLE, first!, 60_000)).toBe(true);
  await expire(database);
  await take(database, second);
  expect(await renewLease(database, TABLE, first!, 60_000)).toBe(false);
  await releaseLease(database, TABLE, first!);
  expect(await renewLease(database, TABLE, second!, 60_000)).toBe(true);
});

it("a lease that has ended counts as free", async () => {
  const database = await freshDatabase();
  const held = async () =>
    (await database.query(`SELECT ${isLeased(TABLE, "l.name = 'thing'")} AS held`)).rows;
  expect(await held()).toEqual([{ held: false }]);
  await take(database);
  expect(await held()).toEqual([{ held: true }]);
  await expire(database);
  expect(await held()).toEqual([{ held: false }]);
});

it("a heartbeat survives errors and reports a lease that has passed on", async () => {
  const clock = createManualClock(0);
  const answers = [async () => Promise.reject(new Error("no database")), async () => false];
  let calls = 0;
  const heartbeat = keepLease(clock, 3_000, () => answers[calls++]!());
  clock.advance(1_000);
  await expect.poll(() => calls).toBe(1);
  expect(heartbeat.signal.aborted).toBe(false);
  // The next beat is scheduled once the failed one has been handled.
  await expect
    .poll(() => {
      clock.advance(1_000);
      return heartbeat.signal.aborted;
    })
    .toBe(true);
  expect(calls).toBe(2);
  await heartbeat.stop();
});

it("a heartbeat does not move the time of a simulation, although sleeping does", async () => {
  const manual = createManualClock(0);
  const clock = {
    ...manual,
    sleep: async (delayMs: number) => manual.advance(delayMs),
  };
  const heartbeat = keepLease(clock, 3_000, async () => true);
  await heartbeat.stop();
  expect(clock.now()).toBe(0);
});

it("a task under a name runs in one process at a time and frees the name even when it fails", async () => {
  const database = await freshDatabase();
  const needs = { database, clock: createManualClock(0) };
  const task = () => withLease(needs, "folder:1", 60, async () => "ran");
  const nested = await withLease(needs, "folder:1", 60, async () => {
    return task();
  });
  expect(nested).toBe(null);
  await expect(
    withLease(needs, "folder:1", 60, () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow("broken");
  expect(await task()).toBe("ran");
});

it("a ticket can be used once, by its name or by its prefix, and not after it has expired", async () => {
  const database = await freshDatabase();
  await putTicket(database, "kind:1", 60);
  await putTicket(database, "name", 60);
  await putTicket(database, "kind:ended", -1);
  expect(await useTicket(database, "other", "no-kind:")).toBe(false);
  expect(await useTicket(database, "name", "kind:")).toBe(true);
  expect(await useTicket(database, "name", "kind:")).toBe(true);
  expect(await useTicket(database, "name", "kind:")).toBe(false);
});
