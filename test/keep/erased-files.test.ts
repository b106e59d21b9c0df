/** Files of an erased person: in an archive that is down at that moment, and in the spool of another machine. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { redactActions } from "../../src/api/access/action-table.ts";
import { eraseKeptAnswers } from "../../src/api/http/kept-answer-table.ts";
import { openDiskFileStore } from "../../src/files/file-store.ts";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { forgetIngestion } from "../../src/flows/ingestion/forget-ingestion.ts";
import { erasePerson, removeErasedFiles } from "../../src/flows/keep/erase-person.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { findText } from "../../src/keep/erasure-table.ts";
import { createManualClock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import { systemRandom as random } from "../../src/lib/random.ts";
import { aLog } from "../helpers/app.ts";
import { freshDatabase } from "../helpers/database.ts";

const folder = mkdtempSync(join(tmpdir(), "postroom-erased-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ANNA = "anna@firm.example";
const PATH = "notes/anna@firm.example/one.pdf";
const bytes = Buffer.from("a note");

it("files of an erased person go once the archive answers, and from the spools of other machines", async () => {
  const database = await freshDatabase();
  const clock = createManualClock(Date.now());
  const here = await openDiskFileStore({ folder: join(folder, "here"), clock, random });
  const there = await openDiskFileStore({ folder: join(folder, "there"), clock, random });
  const archive = await openBlobStore(
    { clock, random },
    { kind: "disk", folder: join(folder, "archive") },
  );
  const { id: sha256 } = await here.put(bytes);
  await there.put(bytes);
  await archive.put({ path: PATH, bytes, contentType: "application/pdf", metadata: {} });
  await database.query(
    `INSERT INTO postroom.trade_document (id, email_key, sha256, source, sender_email, received_at, filename, size_bytes,
       found_in, archive_path) VALUES ($1, 'k', $2, 'manual_upload', $3, now(), 'one.pdf', 6, 'upload', $4)`,
    [random.uuid(), sha256, ANNA, PATH],
  );
  clock.advance(60_000);
  let isDown = true;
  const table = ingestionTable();
  const needs = {
    ...{ database, clock, random, log: aLog().log, files: here, copy: null },
    ...{ table, answers: { erase: eraseKeptAnswers }, actions: { redact: redactActions } },
    blobs: {
      async remove(path: string): Promise<void> {
        if (isDown) throw new Fault("blob.unavailable", "the archive does not answer");
        await archive.remove(path);
      },
    },
    retire: async () => {},
  };

  const report = await erasePerson(needs, { address: ANNA, by: "admin", isDryRun: false });
  expect(report.erased).toContainEqual({ place: "notes", count: 1 });
  expect(report.kept).toEqual([
    {
      ...{ place: "file in archive", item: PATH },
      reason: "could not be removed, and Postroom tries again: the archive does not answer",
    },
  ]);
  expect(await here.has(sha256)).toBe(false);
  expect(await archive.get(PATH)).not.toBeNull();

  isDown = false;
  await removeErasedFiles(needs);
  expect(await archive.get(PATH)).toBeNull();
  expect(await findText(database, ANNA)).toEqual([]);
  expect(await findText(database, sha256)).toEqual([]);

  const unrelated = await there.put(Buffer.from("of somebody else"));
  clock.advance(60_000);
  await forgetIngestion({ database, table, files: there, clock }, 90);
  expect(await there.has(sha256)).toBe(false);
  expect(await there.has(unrelated.id)).toBe(true);
});
