import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { address, byId, EXAMPLE_ID, limit, maybeTime, record, text, time } from "./common.ts";

const Mailbox = z
  .object({
    id: z.int(),
    connection: z.string(),
    address: z.string(),
    graphUserId: text,
    ownerId: z.string(),
    observes: z.boolean(),
    ingestFolder: text,
    filedFolders: z.array(z.string()).readonly().describe("folders whose mail is filed; * for all"),
    ingestSince: time,
    status: z.enum(["active", "paused", "unreachable"]),
    statusReason: text,
    delivery: z.enum(["push", "delta", "poll"]),
    deliveryReason: z.string(),
    lastNotificationAt: maybeTime,
    lastEventAt: maybeTime,
    lastDeltaAt: maybeTime,
    lastAuditAt: maybeTime,
    lastAudit: z
      .object({ inMailbox: z.int(), inLog: z.int(), findings: z.int() })
      .nullable()
      .describe("what the last audit counted"),
    subscriptionMinutesMax: z.int().nullable(),
    createdAt: time,
  })
  .meta({ id: "Mailbox" });

const Subscription = z
  .object({
    id: z.int(),
    mailbox: z.int(),
    subscriptionId: text,
    resource: z.string(),
    changeType: z.string(),
    status: z.enum(["pending", "active", "expired", "removed", "replaced"]),
    expiresAt: maybeTime,
    notificationUrl: text,
    lifecycleUrl: text,
    certificateId: text,
    lastRenewedAt: maybeTime,
    lastNotificationAt: maybeTime,
    errorCount: z.int(),
    lastError: text,
    createdAt: time,
  })
  .meta({ id: "Subscription" });

const Coverage = z
  .object({
    mailbox: z.string(),
    events: z.int(),
    byPush: z.int(),
    rescued: z.int(),
    pushCoverage: z
      .number()
      .nullable()
      .describe("share of events that a notification reported first"),
    medianSeconds: z.number().nullable(),
    p99Seconds: z.number().nullable(),
  })
  .meta({ id: "Coverage" });

const Folder = z
  .object({
    mailbox: z.int(),
    folderId: z.string(),
    parentId: text,
    displayName: z.string(),
    wellKnown: text,
    isExcluded: z.boolean(),
    isGone: z.boolean(),
    generation: z.int(),
    lastDeltaAt: maybeTime,
    resets: z.int(),
    lastResetAt: maybeTime,
    isWalking: z.boolean().describe("a reading from the start is under way"),
    hasCursor: z.boolean(),
  })
  .meta({ id: "Folder" });

const EnsureResult = z.enum([
  "kept",
  "renewed",
  "created",
  "recreated",
  "failed",
  "in-progress",
  "nothing-to-do",
  "no-webhook-url",
]);
const EnsureReport = z.object({
  mailbox: z.string(),
  result: EnsureResult,
  error: z.string().optional(),
});

const Orphan = z
  .object({
    id: z.string(),
    resource: z.string(),
    notificationUrl: z.string(),
    lifecycleUrl: text,
    expiresAt: time,
    connection: z.string(),
  })
  .meta({ id: "OrphanedSubscription" });

const tags = ["mailboxes"];
const params = z.object({ address: z.string().max(500).describe("the address of a mailbox") });
const EXAMPLE = { address: "nina.berg@ashdown.example" };

export const listMailboxes = {
  operationId: "listMailboxes",
  summary: "Watched mailboxes, with their subscription and how well notifications arrive",
  tags,
  querystring: z.object({ cursor: cursorOf("mailboxes", z.int()), limit: limit(1_000, 200) }),
  response: {
    200: z.object({
      mailboxes: z.array(
        Mailbox.extend({ subscription: Subscription.nullable(), coverage: Coverage.nullable() }),
      ),
      next,
    }),
  },
  example: { query: { limit: 50 } },
};

export const addMailbox = {
  operationId: "addMailbox",
  summary: "Watch a mailbox, or change how it is watched",
  tags,
  body: z.object({
    address,
    connection: z
      .string()
      .optional()
      .describe("left as it is if absent; `default` for a new mailbox"),
    observes: z
      .boolean()
      .optional()
      .describe(
        "whether to subscribe to all changes, not only to new mail in `ingestFolder`; left as it is if absent; true for a new mailbox",
      ),
    ingestFolder: z
      .string()
      .min(1)
      .nullable()
      .optional()
      .describe("null for none; left as it is if absent"),
    ownerId: z
      .guid()
      .optional()
      .describe("left as it is if absent; for a new mailbox, the person whose mailbox it is"),
  }),
  response: {
    201: Mailbox.extend({ subscription: EnsureResult, error: z.string().optional() }),
  },
  example: { body: { ...EXAMPLE, ingestFolder: "Inbox" } },
};

export const getMailbox = {
  operationId: "getMailbox",
  summary: "One mailbox with its folders",
  tags,
  params,
  response: { 200: Mailbox.extend({ folders: z.array(Folder) }) },
  example: { params: EXAMPLE },
};

export const verifyMailbox = {
  operationId: "verifyMailbox",
  summary: "Whether the mailbox can be read, and if not, why",
  tags,
  params,
  response: {
    200: z.union([
      z.object({ isReadable: z.literal(true), graphUserId: z.string(), address: z.string() }),
      z.object({ isReadable: z.literal(false), reason: z.string(), address: z.string() }),
    ]),
  },
  example: { params: EXAMPLE },
};

export const pauseMailbox = {
  operationId: "pauseMailbox",
  summary: "Stop watching a mailbox for a while",
  tags,
  params,
  response: { 200: z.object({ address: z.string(), status: z.literal("paused") }) },
  example: { params: EXAMPLE },
};

export const resumeMailbox = {
  operationId: "resumeMailbox",
  summary: "Watch a mailbox again, and read what was missed",
  tags,
  params,
  response: { 200: z.object({ address: z.string(), status: z.literal("active") }) },
  example: { params: EXAMPLE },
};

export const resyncMailbox = {
  operationId: "resyncMailbox",
  summary: "Read a mailbox from the start",
  tags,
  params,
  response: { 200: z.object({ address: z.string(), resync: z.literal("queued") }) },
  example: { params: EXAMPLE },
};

export const setFolder = {
  operationId: "setFolder",
  summary: "Exclude a folder from watching, or include it again",
  tags,
  params,
  body: z.object({
    folder: z.string().min(1).describe("an id or a name"),
    isExcluded: z.boolean(),
  }),
  response: {
    200: z.object({ address: z.string(), isExcluded: z.boolean(), folder: z.string() }),
  },
  example: { params: EXAMPLE, body: { folder: "Archive", isExcluded: true } },
};

export const removeMailbox = {
  operationId: "removeMailbox",
  summary: "Forget a mailbox and end its subscriptions",
  tags,
  params,
  response: {
    200: z.object({
      address: z.string(),
      removed: z.literal(true),
      subscriptionsLeft: z.int().describe("those that Graph could not end; they expire"),
    }),
  },
  example: { params: EXAMPLE },
};

export const auditMailbox = {
  operationId: "auditMailbox",
  summary: "Compare a mailbox with the event log, and repair the log if asked",
  tags,
  params,
  body: z
    .object({
      since: z.iso.datetime({ offset: true }).or(z.iso.date()).nullable().default(null),
      repair: z.boolean().default(false),
    })
    .nullish(),
  response: {
    200: z.object({
      mailbox: z.string(),
      since: maybeTime,
      inMailbox: z.int(),
      inLog: z.int(),
      findings: z
        .array(
          z.object({
            messageId: z.string(),
            kind: z.enum(["missing", "extra", "stale", "forgotten"]),
            cause: z.string(),
            subject: text,
          }),
        )
        .readonly(),
      repaired: z.int(),
    }),
  },
  example: { params: EXAMPLE, body: { since: "2026-11-01", repair: false } },
};

export const listCoverage = {
  operationId: "listCoverage",
  summary: "How many events of the last week a notification reported first, by mailbox",
  tags,
  querystring: z.object({ cursor: cursorOf("coverage", z.string()), limit: limit(1_000, 200) }),
  response: { 200: z.object({ coverage: z.array(Coverage), next }) },
  example: { query: { limit: 50 } },
};

const ofSubscriptions = ["subscriptions"];
const Which = z.object({ mailbox: z.string().optional().describe("an address; without it all") });

export const listSubscriptions = {
  operationId: "listSubscriptions",
  summary: "Every subscription, past and present",
  tags: ofSubscriptions,
  querystring: z.object({ cursor: cursorOf("subscriptions", z.int()), limit: limit(1_000, 200) }),
  response: { 200: z.object({ subscriptions: z.array(Subscription), next }) },
  example: { query: { limit: 50 } },
};

export const ensureSubscriptions = {
  operationId: "ensureSubscriptions",
  summary: "Give every mailbox the subscription that it should have",
  tags: ofSubscriptions,
  body: Which.nullish(),
  response: { 200: z.array(EnsureReport) },
  example: { body: { mailbox: EXAMPLE.address } },
};

export const rotateSubscriptions = {
  operationId: "rotateSubscriptions",
  summary: "New secrets for subscriptions, and a new certificate if asked",
  tags: ofSubscriptions,
  body: Which.extend({ certificate: z.boolean().optional() }).nullish(),
  response: { 200: z.array(EnsureReport) },
  example: { body: { mailbox: EXAMPLE.address } },
};

export const listOrphans = {
  operationId: "listOrphans",
  summary: "Subscriptions of the connected apps that this installation does not know",
  tags: ofSubscriptions,
  querystring: z.object({ cursor: cursorOf("orphans", z.string()), limit: limit(1_000, 200) }),
  response: { 200: z.object({ orphans: z.array(Orphan), next }) },
  example: { query: { limit: 50 } },
};

export const deleteOrphans = {
  operationId: "deleteOrphans",
  summary: "Delete the subscriptions that this installation does not know",
  tags: ofSubscriptions,
  response: { 200: z.object({ deleted: z.array(Orphan) }) },
  example: {},
};

const Trace = z
  .object({
    id: z.string(),
    deliveries: z.array(z.object({ mailbox: z.string(), messageId: z.string() })).readonly(),
    steps: z
      .array(
        z.object({
          at: time,
          kind: z.string().describe("`notification`, `event`, `job`, `ingestion` or `decision`"),
          what: z.string(),
          mailbox: text,
          facts: record,
        }),
      )
      .readonly(),
  })
  .meta({ id: "Trace" });
export type Trace = z.output<typeof Trace>;

export const traceId = {
  operationId: "trace",
  summary: "Everything known about a message, a trade, a document or a file, in order",
  tags: ["trace"],
  params: byId("a message, a trade, a document or a file"),
  response: { 200: Trace },
  example: { params: { id: EXAMPLE_ID } },
};
