/**
 * The parts of rhea that its public API does not offer but a broker needs. Everything that uses rhea's
 * internals is here, so that only one file has to be checked after an upgrade.
 */
import rhea, { type Delivery, type Receiver, type Sender, type Session } from "rhea";

/** Our own message format, so that rhea passes message bytes on undecoded. */
const UNDECODED = 0x504f5354;
const BATCH = 0x80013700;

interface TransferFrame {
  performative: { message_format?: number; delivery_id?: number };
}

/** Makes every transfer of this session arrive as bytes from now on. */
export function keepBytes(session: Session): void {
  const { incoming } = session as unknown as {
    incoming: { on_transfer(frame: TransferFrame, receiver: unknown): void };
  };
  const decoding = incoming.on_transfer;
  incoming.on_transfer = (frame, receiver) => {
    if (frame.performative.message_format !== BATCH) frame.performative.message_format = UNDECODED;
    decoding.call(incoming, frame, receiver);
  };
}

export function isBatch(delivery: Delivery): boolean {
  return (delivery as unknown as { format: number }).format === BATCH;
}

/** Credit that is not yet used: rhea counts a transfer only when it is written. */
export function freeCredit(sender: Sender): number {
  const { outgoing } = sender.session as unknown as {
    outgoing: { next_delivery_id: number; next_pending_delivery: number; available(): number };
  };
  const queued = outgoing.next_delivery_id - outgoing.next_pending_delivery;
  const { credit } = sender as unknown as { credit: number };
  return Math.min(credit - queued, outgoing.available());
}

/** Settles a delivery for both sides: clients in the "second" mode never answer our settlement. */
export function settleForGood(delivery: Delivery, state: unknown): void {
  const both = delivery as unknown as {
    update(settled: boolean, state: unknown): void;
    remote_settled: boolean;
  };
  both.update(true, state);
  both.remote_settled = true;
}

/** Delays the attach that rhea is about to send; `link.open()` sends it later. */
export function holdAttach(link: Sender | Receiver): void {
  const { state } = link as unknown as { state: { local_open: boolean; open_requests: number } };
  if (!state.local_open) return;
  state.local_open = false;
  state.open_requests -= 1;
}

export function isStillWanted(link: Sender): boolean {
  return (link as unknown as { is_remote_open(): boolean }).is_remote_open();
}

interface Attach {
  snd_settle_mode?: number;
  rcv_settle_mode?: number;
  max_message_size?: number;
  properties?: Record<string, unknown>;
  desired_capabilities?: unknown;
}

/** Fields of the attach that will be sent, to be filled before the event handler returns. */
export function localAttach(link: Sender | Receiver): Attach {
  return (link as unknown as { local: { attach: Attach } }).local.attach;
}

export function remoteAttach(link: Sender | Receiver): Attach & {
  source?: { address?: string; filter?: Record<string, unknown> } | null;
  target?: { address?: string } | null;
} {
  return (link as unknown as { remote: { attach: Attach } }).remote.attach;
}

export function isDraining(sender: Sender): boolean {
  return Boolean((sender as unknown as { _draining: boolean })._draining);
}

type OutcomeMaker = (fields?: object) => { described(): unknown };

const outcomes = rhea.message as unknown as Record<
  "accepted" | "rejected" | "released" | "modified",
  OutcomeMaker
>;

/** Delivery states as they go into a disposition. */
export const OUTCOME = {
  accepted: () => outcomes.accepted().described(),
  rejected: (error?: { condition: string; description: string }) =>
    outcomes.rejected(error === undefined ? {} : { error }).described(),
  released: () => outcomes.released().described(),
  modified: (isDeferred: boolean) =>
    outcomes.modified({ undeliverable_here: isDeferred }).described(),
};
