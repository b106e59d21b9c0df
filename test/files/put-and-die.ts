/** Puts a file again and again and kills itself without warning. */
import { openDiskFileStore } from "../../src/files/file-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { systemRandom } from "../../src/lib/random.ts";

const [folder, diesAfterMs] = process.argv.slice(2);
const store = await openDiskFileStore({
  folder: folder!,
  clock: systemClock,
  random: systemRandom,
});
const bytes = Buffer.alloc(3 * 1024 * 1024, 9);
setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(diesAfterMs));
for (;;) {
  await store.put(bytes);
  await store.remove(sha256Hex(bytes));
}
