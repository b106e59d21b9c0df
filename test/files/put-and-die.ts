/** Writes one object or file again and again and kills itself without warning. */
import { openDiskFileStore } from "../../src/files/file-store.ts";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { systemRandom as random } from "../../src/lib/random.ts";

/** Later than anything was ever put. */
const NEVER = new Date(8.64e15);

const [folder = "", kind, diesAfterMs] = process.argv.slice(2);
const bytes = Buffer.alloc(3 * 1024 * 1024, 9);
const files = await openDiskFileStore({ folder, clock, random });
const blobs = await openBlobStore({ clock, random }, { kind: "disk", folder });
const metadata = { source: "poller" };
const blob = { path: "a/b.pdf", bytes, contentType: "application/pdf", metadata };

setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(diesAfterMs));
for (;;) {
  if (kind === "file") {
    await files.put(bytes);
    await files.removeUnused(sha256Hex(bytes), NEVER);
  } else {
    await blobs.put(blob);
    await blobs.remove(blob.path);
  }
}
