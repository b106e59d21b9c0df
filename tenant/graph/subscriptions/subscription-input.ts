/** The body of POST and PATCH /subscriptions, checked as Graph checks it. */
import { X509Certificate } from "node:crypto";
import type { TenantContext } from "../../context.ts";
import { badRequest } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import type { ChangeType, SubscriptionTarget } from "./subscription-model.ts";

type Json = Record<string, unknown>;

const MINUTE_MS = 60_000;
const FLOOR_MS = 45 * MINUTE_MS;
/** A client that asks for the longest time may round up, and its clock may be a little fast. */
const SKEW_MS = 5_000;
const MESSAGE_MINUTES_MAX = 10_080;
const RICH_MESSAGE_MINUTES_MAX = 1_440;
const KNOWN = new Set([
  "changeType",
  "notificationUrl",
  "resource",
  "expirationDateTime",
  "clientState",
  "lifecycleNotificationUrl",
  "includeResourceData",
  "encryptionCertificate",
  "encryptionCertificateId",
  "latestSupportedTlsVersion",
  "notificationUrlAppId",
  "notificationQueryOptions",
  "notificationContentType",
]);
const TLS_VERSIONS = ["v1_0", "v1_1", "v1_2", "v1_3"];
const CHANGE_TYPES: readonly string[] = ["created", "updated", "deleted"];

export function checkNames(json: Json): void {
  const unknown = Object.keys(json).find((name) => !name.startsWith("@") && !KNOWN.has(name));
  if (unknown === undefined) return;
  throw badRequest(
    "Could not process subscription creation payload. Are all property names spelled and camelCased properly? Also are the datetimes using supported timezone formats?",
    "InvalidRequest",
  );
}

export function required(json: Json, name: string): string {
  const value = json[name];
  if (typeof value === "string" && value !== "") return value;
  throw badRequest(`${name} is a required property for subscription creation`, "InvalidRequest");
}

export function optionalText(json: Json, name: string): string | null {
  const value = json[name];
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  throw badRequest(`The property ${name} must be a string.`, "InvalidRequest");
}

export function toChangeTypes(text: string, target: SubscriptionTarget): ChangeType[] {
  const types = text.split(",").map((each) => each.trim().toLowerCase());
  if (types.some((each) => !CHANGE_TYPES.includes(each))) {
    throw badRequest(`Invalid 'changeType' attribute: '${text}'.`, "InvalidRequest");
  }
  if (target.kind === "drive" && (types.length !== 1 || types[0] !== "updated")) {
    throw badRequest(
      "Only the changeType 'updated' is supported for this resource.",
      "InvalidRequest",
    );
  }
  return types as ChangeType[];
}

export function toClientState(context: TenantContext, json: Json): string | null {
  const clientState = optionalText(json, "clientState");
  const lengthMax = graphSwitch(context.switches, "clientStateMax");
  if (clientState !== null && clientState.length > lengthMax) {
    throw badRequest(
      `clientState exceeds the maximum length of ${lengthMax} characters.`,
      "InvalidRequest",
    );
  }
  if (clientState === null && graphSwitch(context.switches, "clientStateRequired")) {
    throw badRequest(
      "clientState is a required property for subscription creation",
      "InvalidRequest",
    );
  }
  return clientState;
}

/**
 * A time that is too close is raised to 45 minutes; one too far away is refused with the limit of the
 * resource.
 */
export function toExpiration(
  context: TenantContext,
  text: string,
  target: SubscriptionTarget,
  isRich: boolean,
): number {
  const hasZone = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text.trim());
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !hasZone) {
    throw badRequest(
      "Could not process subscription creation payload. Are all property names spelled and camelCased properly? Also are the datetimes using supported timezone formats?",
      "InvalidRequest",
    );
  }
  const nowMs = context.clock.now();
  const minutesMax = lifetimeMax(context, target, isRich);
  if (ms > nowMs + minutesMax * MINUTE_MS + SKEW_MS) {
    throw badRequest(
      `Subscription expiration can only be ${minutesMax} minutes in the future.`,
      "ExtensionError",
    );
  }
  return Math.max(ms, nowMs + FLOOR_MS);
}

function lifetimeMax(context: TenantContext, target: SubscriptionTarget, isRich: boolean): number {
  if (target.kind === "drive") return graphSwitch(context.switches, "driveSubscriptionMinutesMax");
  return isRich ? RICH_MESSAGE_MINUTES_MAX : MESSAGE_MINUTES_MAX;
}

/** https, or http to this machine: a local tenant must reach its neighbours. */
export function checkUrl(text: string, name: string): void {
  if (isEventHub(text)) return;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLoopback = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)) return;
  throw badRequest(`The ${name} must be a valid HTTPS URL.`, "InvalidRequest");
}

export function isEventHub(url: string): boolean {
  return /^EventHub:https:\/\/[^/]+\/(eventhubname|secrets)\/[^?]+\?tenantId=.+$/i.test(url);
}

export function toTlsVersion(json: Json): string {
  const version = optionalText(json, "latestSupportedTlsVersion") ?? "v1_2";
  if (TLS_VERSIONS.includes(version)) return version;
  throw badRequest(`Invalid latestSupportedTlsVersion '${version}'.`, "InvalidRequest");
}

/** A certificate for rich notifications: RSA of 2,048 to 4,096 bits, self-signed is fine. */
export function checkCertificate(text: string | null, id: string | null): void {
  if (text === null || id === null || id === "") {
    throw badRequest(
      "encryptionCertificate and encryptionCertificateId are required when includeResourceData is true.",
      "InvalidRequest",
    );
  }
  if (id.length > 128)
    throw badRequest(
      "encryptionCertificateId exceeds the maximum length of 128 characters.",
      "InvalidRequest",
    );
  let bits: number;
  try {
    const { publicKey } = new X509Certificate(Buffer.from(text, "base64"));
    bits =
      publicKey.asymmetricKeyType === "rsa"
        ? (publicKey.asymmetricKeyDetails?.modulusLength ?? 0)
        : 0;
  } catch {
    throw badRequest(
      "The encryptionCertificate could not be read as a base64-encoded X.509 certificate.",
      "InvalidRequest",
    );
  }
  if (bits < 2048 || bits > 4096)
    throw badRequest(
      "The encryptionCertificate must hold an RSA key of 2048 to 4096 bits.",
      "InvalidRequest",
    );
}
