import type { Switches } from "../../context.ts";

/** Points of Graph mail that documents leave open, with the default of each. */
export const GRAPH_SWITCHES = {
  /** Handshake again when PATCH changes `notificationUrl`. */
  handshakeOnUrlChange: true,
  /** First wait before a redelivery; it doubles each time. The real steps are not published. */
  retryFirstDelayMs: 10_000,
  /** Answers needed in a window before an endpoint is judged slow or dropped. */
  endpointAnswersMin: 10,
  /** `reauthorizationRequired` by itself as the expiry nears. */
  reauthorizationEvents: true,
  /** Whether a subscription that runs out is announced with `subscriptionRemoved`. */
  announceExpiry: false,
  /** Reauthorize and PATCH within ten minutes: only journaled, or deliveries stop as they may. */
  reauthorizeTrap: "journal" as "journal" | "inconsistent",
  /** Subscribing with a delegated token to another's mailbox: refused, or accepted and never fired. */
  delegatedForeignMailbox: "refuse" as "refuse" | "silent",
  /** The longest `clientState`; other pages of the documentation say 255. */
  clientStateMax: 128,
  clientStateRequired: false,
  /** Where DELETE puts a message. */
  deleteTarget: "recoverableitemsdeletions" as "recoverableitemsdeletions" | "deleteditems",
  /** Lifetime of drive subscriptions: one page says 42,300, another 4,230. */
  driveSubscriptionMinutesMax: 42_300,
  /** `validationTokens: null`, as when the app demands roles that Graph's principal lacks. */
  withholdValidationTokens: false,
  /** What was on its way when a subscription is removed: still delivered, or dropped with it. */
  pendingOnRemoval: "delivered" as "delivered" | "dropped",
  /** Whether a delivery or handshake that is redirected goes on to where it is sent. */
  followRedirects: false,
  /** The answers of a batch come in any order; false keeps the order of the requests. */
  shuffleBatch: true,
  /** Extra `resource` and `resourceData` in lifecycle notifications. */
  lifecycleResource: false,
  /** The sent copy appears in Sent Items so much later and lies in the Outbox until then. */
  sentItemsDelayMs: 0,
  /** Content type of a message's MIME. */
  mimeContentType: "text/plain",
  /** `size` of an attachment: with Exchange's wrapping, or the plain length. */
  attachmentSize: "wrapped" as "wrapped" | "exact",
  mailFolderPageSize: 10,
  /** How long each call keeps its place among the four that a mailbox serves at a time. */
  mailboxLatencyMs: 0,
  /** `Retry-After` on throttled answers; Graph does not always send it. */
  retryAfterHeader: true,
  /** A change in delta: everything selected, or only what can change after arrival. */
  sparseDeltaUpdates: false,
  /** An arriving message is followed by `updated` as well, as is often seen. */
  updatedAfterCreated: false,
};

export type GraphSwitches = typeof GRAPH_SWITCHES;

export function graphSwitch<Name extends keyof GraphSwitches>(
  switches: Switches,
  name: Name,
): GraphSwitches[Name] {
  const value = switches[name];
  return value === undefined ? GRAPH_SWITCHES[name] : (value as GraphSwitches[Name]);
}
