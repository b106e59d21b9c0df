/** What becomes of saves whose request died. */
import { beforeAll, describe, expect, it } from "vitest";
import { openDiskFileStore } from "../../src/files/file-store.ts";
import { removeReceived } from "../../src/filing/office/sweep-saves.ts";
import { sweepDocuments } from "../../src/flows/specs/documents.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { armKillPoint, type KillPoint } from "../../src/lib/kill-points.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { aMail, anOfficeScene, type OfficeScene } from "./scene.ts";

let scene: OfficeScene;
beforeAll(async () => {
  scene = await anOfficeScene();
});

/** A request that ends here, as if its server were gone. */
async function dieAt(point: KillPoint, body: object, key: string): Promise<void> {
  const disarm = armKillPoint(point, () => {
    throw new Error("the server is gone");
  });
  const { status } = await scene.save(body, { key });
  disarm();
  expect(status).toBe(500);
}

const age = (key: string, minutes: number) =>
  scene.app.database.query(
    "UPDATE postroom.office_save SET locked_until = postroom.now() - make_interval(mins => $2) WHERE key = $1",
    [key, minutes],
  );

let sweeps = 0;
async function sweep(): Promise<void> {
  sweeps += 1;
  const job = { subjectId: "all", idempotencyKey: `sweep-${sweeps}`, payload: {} };
  await scene.app.database.transaction((tx) => scene.app.jobs.queue.add(tx, sweepDocuments, [job]));
  await scene.app.jobs.workUntilIdle();
}

const keys = async () => {
  const sql = "SELECT key FROM postroom.office_save ORDER BY 1";
  return (await scene.app.database.query<{ key: string }>(sql)).rows.map(({ key }) => key);
};

describe("a save whose request died", () => {
  it("is removed with its files after an hour, not before, and can be saved again", async () => {
    const mail = aMail(scene.matterId);
    await dieAt("office.files-stored", mail, "old");
    await dieAt("office.save-begun", aMail(scene.matterId), "bare");
    await dieAt("office.files-stored", aMail(scene.matterId), "young");
    await age("old", 61);
    await age("bare", 61);
    await age("young", 59);
    expect(scene.files()).toHaveLength(6);
    await sweep();
    expect(await keys()).toEqual(["young"]);
    expect(scene.files()).toHaveLength(3);
    const { rows } = await scene.app.database.query("SELECT count(*) AS n FROM postroom.filing");
    expect(rows).toEqual([{ n: 3 }]);
    expect((await scene.save(mail, { key: "old" })).status).toBe(202);
    await scene.app.jobs.workUntilIdle();
    expect(scene.rows("sprk_document")).toHaveLength(3);
    await sweep();
    expect(scene.files()).toHaveLength(6);
  });

  it("leaves its files on the server's disk for an hour at most, and none in the database", async () => {
    const folder = `${scene.app.home}/office`;
    const disk = await openDiskFileStore({ folder, clock: systemClock, random: systemRandom });
    const count = async () => {
      let found = 0;
      for await (const ids of disk.list()) found += ids.length;
      return found;
    };
    const before = await count();
    expect(before).toBeGreaterThan(0);
    const at = (minutes: number) => ({
      ...systemClock,
      now: () => systemClock.now() + minutes * 60_000,
    });
    await removeReceived(disk, at(50));
    expect(await count()).toBe(before);
    await removeReceived(disk, at(61));
    expect(await count()).toBe(0);
    const { rows } = await scene.app.database.query("SELECT * FROM postroom.spool_file");
    expect(rows).toEqual([]);
  });
});
