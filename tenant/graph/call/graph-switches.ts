import type { Switches } from "../../context.ts";

/** Points of Graph mail that the documentation leaves open, each with its default. */
export const GRAPH_SWITCHES = {
  /** Whether the handshake is repeated when PATCH changes `notificationUrl`. */
  handshakeOnUrlChange: true,
  /** First wait before a redelivery; it doubles each time. The real steps are not published. */
  retryFirstDelayMs: 10_000,
  /** Responses needed in a window before an endpoint can be judged slow or dropped. */
  endpointAnswersMin: 10,
  /** Whether `reauthorizationRequired` is sent as the expiry approaches. */
  reauthorizationEvents: true,
  /** Whether an expiring subscription is announced with `subscriptionRemoved`. */
  announceExpiry: false,
  /**
   * Reauthorize and PATCH within ten minutes: only recorded in the journal, or deliveries stop, as they may
   * in reality.
   */
  reauthorizeTrap: "journal" as "journal" | "inconsistent",
  /**
   * Subscribing with a delegated token to another user's mailbox: refused, or accepted without ever firing.
   */
  delegatedForeignMailbox: "refuse" as "refuse" | "silent",
  /** Maximum length of `clientState`; other pages of the documentation say 255. */
  clientStateMax: 128,
  clientStateRequired: false,
  /** Where DELETE puts a message. */
  deleteTarget: "recoverableitemsdeletions" as "recoverableitemsdeletions" | "deleteditems",
  /** Lifetime of drive subscriptions: one page says 42,300, another 4,230. */
  driveSubscriptionMinutesMax: 42_300,
  /** Sends `validationTokens: null`, as if the app required roles that Graph's principal lacks. */
  withholdValidationTokens: false,
  /** Items in transit when a subscription is removed: still delivered, or dropped with it. */
  pendingOnRemoval: "delivered" as "delivered" | "dropped",
  /** Whether a redirected delivery or handshake follows the redirect. */
  followRedirects: false,
  /** The responses of a batch come in any order; false keeps the order of the requests. */
  shuffleBatch: true,
  /** Adds `resource` and `resourceData` to lifecycle notifications. */
  lifecycleResource: false,
  /** Delay until the sent copy appears in Sent Items; until then it is in the Outbox. */
  sentItemsDelayMs: 0,
  /** Content type of a message's MIME. */
  mimeContentType: "text/plain",
  /** `size` of an attachment: including Exchange's overhead, or the exact length. */
  attachmentSize: "wrapped" as "wrapped" | "exact",
  mailFolderPageSize: 10,
  /**
   * How long each call keeps its place among the four that a mailbox serves at a time. On a virtual
   * clock, and without throttling, it is 0 until it is set: nothing would end the wait.
   */
  mailboxLatencyMs: 10,
  /** Whether throttled responses have `Retry-After`; Graph does not always send it. */
  retryAfterHeader: true,
  /** What delta shows of a change: everything selected, or only what can change after arrival. */
  sparseDeltaUpdates: false,
  /** Whether an arriving message is followed by `updated` as well, as is often observed. */
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
