import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folderPlace } from "./watched-place.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-watched-"));
  await writeFile(join(folder, "note.pdf"), "%PDF-");
  await mkdir(join(folder, "folder.pdf"));
});
afterAll(() => rm(folder, { recursive: true }));

it("a file that disappears from a watched folder between listing and reading is null, and any other failure is thrown", async () => {
  const place = folderPlace(folder);
  expect(await place.read("note.pdf")).toEqual(Buffer.from("%PDF-"));
  expect(await place.read("gone.pdf")).toBeNull();
  await expect(place.read("folder.pdf")).rejects.toMatchObject({ code: "EISDIR" });
});
