import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { createPdfReader } from "../../src/reading/read-pdf.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { poisonSet } from "./poison-pdfs.ts";

/**
 * Reads the whole poison set in a separate process, so that the measured memory is that of a
 * host that does nothing else. A good note follows every poison. Prints one JSON document.
 */
const canaryPath = join(process.argv[2]!, "canary");
const good = await makeNote({ seed: "good", skin: "lindenquell", language: "de", kind: "buy" });
const locked = await makeNote({ seed: "locked", kind: "sell", variant: "encrypted" });
const poisons = [
  ...poisonSet(canaryPath),
  {
    name: "a file cut in half",
    pdf: good.pdf.subarray(0, good.pdf.length / 2),
    reasons: ["damaged"],
  },
  { name: "a locked file", pdf: locked.pdf, reasons: ["encrypted"] },
];
const reader = createPdfReader({ clock: systemClock });
await reader.read(good.pdf);
globalThis.gc?.();
const rssBefore = process.memoryUsage.rss();
let rssPeak = rssBefore;
const sampler = setInterval(() => {
  rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
}, 5);
const results = [];
for (const { name, pdf, reasons } of poisons) {
  const startedMs = performance.now();
  const result = await reader.read(pdf);
  const tookMs = Math.round(performance.now() - startedMs);
  const after = await reader.read(good.pdf);
  results.push({
    name,
    bytes: pdf.length,
    reason: result.ok ? "read" : result.reason,
    detail: result.ok ? "" : result.detail,
    reasons,
    tookMs,
    goodIsRead: after.ok && after.reading.text === good.text,
  });
}
clearInterval(sampler);
const stats = reader.stats();
await reader.close();
const rssGrowthMiB = (rssPeak - rssBefore) / 2 ** 20;
process.stdout.write(
  JSON.stringify({ results, rssGrowthMiB, stats, canaryExists: existsSync(canaryPath) }),
);
