/** Several jobs in one message: adding, taking and removing it costs once for all of them. */
import type { EngineMessage } from "../engine.ts";

/** What a message holds. */
export interface BundleData {
  readonly type: string;
  readonly ids: readonly string[];
  readonly delayMs: number;
}

/** A message that is out; it ends when the last of its jobs has. */
export interface Bundle {
  readonly messageId: string;
  readonly type: string;
  /** Told for each of its jobs. */
  readonly onSettled: () => void;
  left: number;
  readonly released: string[];
}

/** Neighbours of one type that are due at once share a message, as many as their type allows. */
export function toBundles(messages: readonly EngineMessage[]): BundleData[] {
  const bundles: (BundleData & { ids: string[] })[] = [];
  for (const { jobId, type, delayMs, together = 1 } of messages) {
    const last = bundles.at(-1);
    const fits =
      last?.type === type && delayMs === 0 && last.delayMs === 0 && last.ids.length < together;
    if (fits) last.ids.push(jobId);
    else bundles.push({ type, delayMs, ids: [jobId] });
  }
  return bundles;
}

/** Counts jobs as settled; answers the messages that are over and what has to be sent once more. */
export function settleBundles(
  settled: readonly { bundle: Bundle; jobId: string | null }[],
  isRelease: boolean,
): { finished: string[]; again: BundleData[] } {
  const finished: string[] = [];
  const again: BundleData[] = [];
  for (const { bundle, jobId } of settled) {
    bundle.left -= 1;
    if (isRelease && jobId !== null) bundle.released.push(jobId);
    bundle.onSettled();
    if (bundle.left > 0) continue;
    finished.push(bundle.messageId);
    if (bundle.released.length > 0) {
      again.push({ type: bundle.type, ids: bundle.released, delayMs: 0 });
    }
  }
  return { finished, again };
}
