/** The job types that watch mailboxes: their names and payloads. */
import * as z from "zod";
import { defineJob } from "../../jobs/job.ts";

/** With growing pauses, about twelve minutes: a short outage of Graph makes no dead letters. */
const OUTLASTS_AN_OUTAGE = 12;

/** Created when Graph notifies a change of a message. */
export const mailChanged = defineJob({
  type: "mail-changed",
  queue: "webhook-events",
  payload: z.object({
    mailbox: z.number().int(),
    messageId: z.string(),
    change: z.enum(["created", "updated", "deleted"]),
    /** When Graph's notification reached us, ISO. */
    notifiedAt: z.string(),
  }),
  maxAttempts: 5,
});

export type ChangePayload = (typeof mailChanged)["payload"]["_output"];

/** Created when Graph sends a lifecycle notice about a subscription. */
export const lifecycleEvent = defineJob({
  type: "lifecycle-event",
  queue: "webhook-renewal",
  payload: z.object({
    mailbox: z.number().int(),
    subscription: z.number().int(),
    event: z.enum(["missed", "reauthorizationRequired", "subscriptionRemoved"]),
    notifiedAt: z.string(),
  }),
  maxAttempts: OUTLASTS_AN_OUTAGE,
});

/** Gives each mailbox its subscription. */
export const ensureSubscriptionsJob = defineJob({
  type: "ensure-subscriptions",
  queue: "webhook-renewal",
  payload: z.object({ reason: z.string() }),
  maxAttempts: OUTLASTS_AN_OUTAGE,
});

/** Reads what changed in one mailbox since the last look. */
export const deltaSync = defineJob({
  type: "delta-sync",
  queue: "delta-sync",
  jobsPerMessageMax: 1,
  payload: z.object({ mailbox: z.number().int(), reason: z.string() }),
  maxAttempts: OUTLASTS_AN_OUTAGE,
});

/** Queues a delta run for all mailboxes, or for those without push. */
export const readMailboxes = defineJob({
  type: "read-mailboxes",
  queue: "delta-sync",
  jobsPerMessageMax: 1,
  payload: z.object({ which: z.enum(["all", "not-pushed"]) }),
  maxAttempts: OUTLASTS_AN_OUTAGE,
});

/** Compares mailboxes with the log and repairs the log; null means every mailbox. */
export const auditMailboxes = defineJob({
  type: "audit-mailboxes",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  payload: z.object({ mailbox: z.number().int().nullable(), repair: z.boolean() }),
  maxAttempts: OUTLASTS_AN_OUTAGE,
});

/** Removes events and notifications that are past their retention. */
export const forgetOld = defineJob({
  type: "forget-old",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  payload: z.object({}),
  maxAttempts: OUTLASTS_AN_OUTAGE,
});
