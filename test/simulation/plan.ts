/** A schedule of what people do with their mail and which faults occur, drawn from a seed. */
import { createRandom, type Random } from "../../tenant/random.ts";

export type Action =
  | { readonly kind: "send"; readonly folder: string; readonly copies: number }
  | { readonly kind: "move" | "drag"; readonly nth: number; readonly folder: string }
  | {
      readonly kind:
        | "read"
        | "unread"
        | "flag"
        | "unflag"
        | "soft-delete"
        | "hard-delete"
        | "recover"
        | "copy";
      readonly nth: number;
    }
  | { readonly kind: "categorize"; readonly nth: number; readonly names: readonly string[] }
  | { readonly kind: "bulk-move"; readonly folder: string }
  | { readonly kind: "draft-and-send" }
  | { readonly kind: "new-folder"; readonly name: string }
  | {
      readonly kind: "fault";
      readonly fault: string;
      readonly probability: number;
      readonly times: number | null;
      readonly options: Record<string, unknown>;
    }
  | { readonly kind: "clear-faults" }
  | { readonly kind: "remove-subscription"; readonly notify: boolean }
  | { readonly kind: "lifecycle"; readonly event: "missed" | "reauthorizationRequired" }
  | { readonly kind: "shut-out"; readonly minutes: number }
  | { readonly kind: "kill"; readonly point: string; readonly nth: number }
  | { readonly kind: "down"; readonly minutes: number };

export interface Step {
  readonly atMinute: number;
  readonly action: Action;
}

export const FOLDERS = ["inbox", "archive", "junkemail", "deleteditems", "Projects"];
const KILL_POINTS = [
  "intake.insert-sent",
  "intake.committed",
  "delta.page-read",
  "delta.page-open",
  "delta.page-committed",
  "delta.link-committed",
  "subscription.pending-committed",
  "subscription.create-sent",
  "subscription.created",
  "subscription.activated",
  "subscription.renewal-sent",
  "subscription.expiry-stored",
];
const REQUEST_FAULTS: readonly [string, Record<string, unknown>][] = [
  ["throttle", { retryAfterSeconds: 3 }],
  ["throttle", { retryAfterSeconds: 90 }],
  ["throttle", { retryAfterSeconds: null }],
  ["server-error", { status: 503 }],
  ["server-error", { status: 500 }],
  ["unauthorized", {}],
  ["html", {}],
  ["timeout", {}],
  ["reset", {}],
  ["lost-answer", {}],
  ["cut-body", {}],
  ["bad-json", {}],
  ["not-found-once", {}],
  ["expire-delta", {}],
  ["reset-delta", {}],
  ["empty-page", {}],
  ["duplicate-delta", {}],
  ["replay-delta", {}],
];
const NOTIFICATION_FAULTS: readonly [string, Record<string, unknown>][] = [
  ["drop-notification", {}],
  ["duplicate-notification", { times: 3 }],
  ["late-notification", { delayMs: 40 * 60_000 }],
  ["reorder-notifications", {}],
  ["drop-lifecycle", {}],
  ["notification-before-201", {}],
];

/** The minutes in which faults and changes happen; then it is quiet. */
export const BUSY_MINUTES = 60;

export function drawPlan(seed: number): Step[] {
  const random = createRandom(`plan/${seed}`);
  const steps: Step[] = [];
  const count = 10 + random.below(25);
  for (let index = 0; index < count; index++) {
    steps.push({ atMinute: random.below(BUSY_MINUTES), action: drawAction(random) });
  }
  // Drawn from a separate source, so that older seeds keep the rest of their schedule.
  const rare = createRandom(`plan/${seed}/rare`);
  if (rare.chance(0.15))
    steps.push({
      atMinute: rare.below(BUSY_MINUTES),
      action: { kind: "shut-out", minutes: 1 + rare.below(40) },
    });
  return steps.sort((one, other) => one.atMinute - other.atMinute);
}

function drawAction(random: Random): Action {
  const nth = random.below(1_000);
  const folder = random.pick(FOLDERS);
  switch (random.below(22)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {
        kind: "send",
        folder: random.pick(["inbox", "inbox", "junkemail", "Projects"]),
        copies: 1 + random.below(4),
      };
    case 4:
    case 5:
      return { kind: "move", nth, folder };
    case 6:
      return { kind: random.pick(["read", "read", "unread"]), nth };
    case 7:
      return { kind: random.pick(["flag", "unflag"]), nth };
    case 8:
      return { kind: "categorize", nth, names: random.pick([["Red"], ["Red", "Blue"], []]) };
    case 9:
      return { kind: "soft-delete", nth };
    case 10:
      return { kind: random.pick(["hard-delete", "hard-delete", "recover"]), nth };
    case 11:
      return { kind: "copy", nth };
    case 12:
      return random.chance(0.5) ? { kind: "bulk-move", folder } : { kind: "drag", nth, folder };
    case 13:
      return random.chance(0.6)
        ? { kind: "draft-and-send" }
        : { kind: "new-folder", name: `Folder ${nth}` };
    case 14:
    case 15: {
      const [fault, options] = random.pick(REQUEST_FAULTS);
      return {
        kind: "fault",
        fault,
        options,
        probability: random.pick([0.1, 0.3, 1]),
        times: random.pick([1, 2, 5, 20]),
      };
    }
    case 16:
    case 17: {
      const [fault, options] = random.pick(NOTIFICATION_FAULTS);
      return {
        kind: "fault",
        fault,
        options,
        probability: random.pick([0.2, 0.5, 1]),
        times: random.pick([3, null]),
      };
    }
    case 18:
      return { kind: "remove-subscription", notify: random.chance(0.6) };
    case 19:
      return random.chance(0.4)
        ? { kind: "clear-faults" }
        : { kind: "lifecycle", event: random.pick(["missed", "reauthorizationRequired"]) };
    case 20:
      return { kind: "kill", point: random.pick(KILL_POINTS), nth: 1 + random.below(3) };
    default:
      return { kind: "down", minutes: 1 + random.below(25) };
  }
}
