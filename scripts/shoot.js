/**
 * Photographs every page of the console, also while it waits, fails or has nothing to show, in both themes at 1440, 1280
 * and 390 pixels, and every state of the add-in's pane at 320. Fails on clipped text, overlap, sideways scrolling, flaws of
 * access or a word in the browser's console. `node scripts/shoot.js [FOLDER]`; needs Chromium.
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2] ?? join(tmpdir(), "postroom-shots"));
const { status } = spawnSync(
  "npx",
  [
    "vitest",
    "run",
    "test/console/console.test.ts",
    "test/console/search.test.ts",
    "-t",
    "every s(creen|tate)",
  ],
  {
    env: { ...process.env, POSTROOM_LONG: "1", POSTROOM_SHOTS: folder },
    stdio: "inherit",
  },
);
process.stdout.write(`The pictures are in ${folder}.\n`);
process.exit(status ?? 1);
