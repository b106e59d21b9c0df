/** Several jobs in one message, so that the engine has one message to carry and remove for all of them. */
import type { EngineMessage, Settlement, Ticket } from "../engine.ts";

/** A message that was handed out; it is settled with the last of its tickets. */
export interface Bundle {
  readonly messageId: string;
  readonly type: string;
  /** Called for each of its tickets. */
  readonly onSettled: () => void;
  left: number;
  /** Jobs to return to the queue; null for a message that names no job. */
  readonly released: (string | null)[];
  dead: Extract<Settlement, { kind: "dead" }> | null;
}

export const createBundle = (
  of: Pick<Bundle, "messageId" | "type" | "left" | "onSettled">,
): Bundle => ({ ...of, released: [], dead: null });

/** Consecutive jobs of one type that are due now share a message, as many as their type allows. */
export function toBundles(messages: readonly EngineMessage[]): EngineMessage[][] {
  const bundles: EngineMessage[][] = [];
  for (const message of messages) {
    const last = bundles.at(-1);
    if (last !== undefined && fits(last, message)) last.push(message);
    else bundles.push([message]);
  }
  return bundles;
}

function fits(bundle: readonly EngineMessage[], message: EngineMessage): boolean {
  const [first] = bundle;
  return (
    first?.type === message.type &&
    first.delayMs === 0 &&
    message.delayMs === 0 &&
    bundle.length < (message.jobsPerMessageMax ?? 1)
  );
}

/** Counts tickets as settled; returns the messages whose tickets are now all settled. */
export function settleBundles(tickets: readonly Ticket[], how: Settlement): Bundle[] {
  const finished: Bundle[] = [];
  for (const { handle, jobId } of tickets) {
    const bundle = handle as Bundle;
    bundle.left -= 1;
    if (how.kind === "release") bundle.released.push(jobId);
    if (how.kind === "dead") bundle.dead = how;
    bundle.onSettled();
    if (bundle.left === 0) finished.push(bundle);
  }
  return finished;
}
