/**
 * The HTTP management API (ATOM, api-version 2021-05) for queues: read, list, create, update and delete.
 * `ServiceBusAdministrationClient` reads and writes exactly this.
 */
import type { TenantContext } from "../context.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import type { Claims } from "./amqp/claims.ts";
import { readDuration, writeDuration } from "./durations.ts";
import type { Broker } from "./queue/broker.ts";
import { DEAD_LETTER_SUFFIX } from "./queue/broker.ts";
import type { Queue } from "./queue/queue.ts";
import type { QueueDeclaration, QueueSettings } from "./queue/queue-settings.ts";

const CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
const COUNTS = "http://schemas.microsoft.com/netservices/2011/06/servicebus";

const OPTIONS = ["api-version", "enrich", "$skip", "$top"];

interface AtomWorld {
  readonly context: TenantContext;
  readonly broker: Broker;
  readonly claims: Claims;
}

/** `path` is the entity path: the request's path without its leading slash. */
export async function answerAtom(
  world: AtomWorld,
  request: TenantRequest,
  path: string,
): Promise<TenantResponse> {
  if (!(await world.claims.mayManage(request.headers["authorization"]))) {
    return error(
      401,
      "MalformedToken: The credentials contained in the authorization header are not valid.",
    );
  }
  const unknown = [...request.query.keys()].find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    return error(400, `SubCode=40000. The query option '${unknown}' is not supported.`);
  }
  if (path.toLowerCase() === "$namespaceinfo") return namespaceInfo(world);
  if (path.toLowerCase() === "$resources/queues") return list(world, request);
  if (isTopic(path, request)) {
    return error(501, "Topics and subscriptions are not part of the local tenant; use queues.");
  }
  switch (request.method) {
    case "GET":
      return read(world, path);
    case "PUT":
      return write(world, path, request);
    case "DELETE":
      return world.broker.remove(path)
        ? { status: 200 }
        : error(404, `The messaging entity '${path}' could not be found.`);
    default:
      return error(405, "The method is not supported.");
  }
}

function isTopic(path: string, request: TenantRequest): boolean {
  if (/^\$resources\/topics$|\/subscriptions(\/|$)/i.test(path)) return true;
  return request.method === "PUT" && request.body.includes("<TopicDescription");
}

function read({ context, broker }: AtomWorld, path: string): TenantResponse {
  const queue = broker.find(path);
  // The service answers a missing entity with an empty feed, not with 404.
  const body = queue === undefined ? feed("") : entry(context, broker, queue);
  return { status: 200, headers: atomHeaders(), body };
}

function list({ context, broker }: AtomWorld, request: TenantRequest): TenantResponse {
  const [skip = 0, top = 100] = ["$skip", "$top"].map((name) => {
    const text = request.query.get(name);
    return text === null ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  });
  if (Number.isNaN(skip + top)) {
    return error(400, "SubCode=40000. $skip and $top must be whole numbers.");
  }
  const names = broker.names().sort();
  const page = names.slice(skip, skip + top);
  const next = skip + page.length < names.length;
  const self = `${context.origin()}/$Resources/queues?api-version=2021-05`;
  // The client reads links only if there are several.
  const links = `<link rel="self" href="${xmlText(self)}"/>${
    next ? `<link rel="next" href="${xmlText(`${self}&$skip=${skip + page.length}`)}"/>` : ""
  }`;
  const entries = page.map((name) => entry(context, broker, broker.find(name)!)).join("");
  return { status: 200, headers: atomHeaders(), body: feed(links + entries) };
}

function write(
  { context, broker }: AtomWorld,
  path: string,
  request: TenantRequest,
): TenantResponse {
  const isUpdate = request.headers["if-match"] === "*";
  const known = broker.find(path);
  if (known !== undefined && !isUpdate) {
    return error(409, `SubCode=40900. Conflict. The entity '${path}' already exists.`);
  }
  if (known === undefined && isUpdate) {
    return error(404, `SubCode=40400. Not Found. The entity '${path}' could not be found.`);
  }
  const xml = request.body.toString("utf8");
  const unmodelled = findUnmodelled(xml);
  if (unmodelled !== null) return unmodelled;
  const declaration = readDeclaration(path, xml);
  if (typeof declaration === "string") return error(400, declaration);
  const fixed = ["requiresSession", "requiresDuplicateDetection"] as const;
  for (const name of known === undefined ? [] : fixed) {
    if (declaration[name] !== undefined && declaration[name] !== known!.settings[name]) {
      return error(400, `SubCode=40000. The value for '${name}' can only be set at creation time.`);
    }
  }
  try {
    broker.declare(declaration);
  } catch (cause) {
    return error(400, `SubCode=40000. Bad Request. ${(cause as Error).message}`);
  }
  const body = entry(context, broker, broker.find(path)!);
  return { status: isUpdate ? 200 : 201, headers: atomHeaders(), body };
}

/** Settings of Microsoft's queues that are not modelled, with the values that change nothing. */
const UNMODELLED: Readonly<Record<string, RegExp>> = {
  ForwardTo: /^$/,
  ForwardDeadLetteredMessagesTo: /^$/,
  UserMetadata: /^$/,
  AuthorizationRules: /^$/,
  AutoDeleteOnIdle: /^P10675199D/,
  EnablePartitioning: /^false$/i,
  EnableExpress: /^false$/i,
  EnableBatchedOperations: /^(true|false)$/i,
  EntityAvailabilityStatus: /^Available$/,
};
const HONOURED = new Set([
  ...["LockDuration", "DefaultMessageTimeToLive", "DuplicateDetectionHistoryTimeWindow"],
  ...["RequiresSession", "RequiresDuplicateDetection", "DeadLetteringOnMessageExpiration"],
  ...["MaxDeliveryCount", "MaxSizeInMegabytes", "MaxMessageSizeInKilobytes", "Status"],
  // What the service only reports; a client that updates a queue sends it back.
  ...["SizeInBytes", "MessageCount", "CreatedAt", "UpdatedAt", "AccessedAt", "CountDetails"],
]);

function findUnmodelled(xml: string): TenantResponse | null {
  const inner = /<QueueDescription[^>]*>(.*)<\/QueueDescription>/s.exec(xml)?.[1] ?? "";
  for (const [, name = "", text = ""] of inner.matchAll(
    /<([A-Za-z]\w*)(?:\s[^>]*)?(?:\/>|>([^<]*))/g,
  )) {
    if (HONOURED.has(name) || UNMODELLED[name]?.test(text.trim())) continue;
    return name in UNMODELLED
      ? error(501, `SubCode=50100. ${name}: not part of the local tenant.`)
      : error(400, `SubCode=40000. The element '${name}' is unknown.`);
  }
  return null;
}

/** The declaration in an ATOM entry, or what is wrong with it. */
function readDeclaration(name: string, xml: string): QueueDeclaration | string {
  const text = (element: string) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  const declaration: Record<string, unknown> = { name };
  const durations = {
    LockDuration: "lockDurationMs",
    DefaultMessageTimeToLive: "defaultMessageTimeToLiveMs",
    DuplicateDetectionHistoryTimeWindow: "duplicateDetectionHistoryTimeWindowMs",
  };
  for (const [element, setting] of Object.entries(durations)) {
    const written = text(element);
    if (written === undefined) continue;
    const ms = readDuration(written);
    if (ms === null) return `SubCode=40000. '${written}' is not a duration (${element}).`;
    declaration[setting] = ms;
  }
  for (const element of [
    "RequiresSession",
    "RequiresDuplicateDetection",
    "DeadLetteringOnMessageExpiration",
  ]) {
    const written = text(element);
    if (written !== undefined) declaration[lowerFirst(element)] = written.toLowerCase() === "true";
  }
  for (const element of ["MaxDeliveryCount", "MaxSizeInMegabytes"]) {
    const written = text(element);
    if (written !== undefined) declaration[lowerFirst(element)] = Number(written);
  }
  const size = text("MaxMessageSizeInKilobytes");
  if (size !== undefined) declaration["maxMessageSizeBytes"] = Number(size) * 1024;
  const status = text("Status");
  if (status !== undefined) declaration["status"] = status;
  return declaration as unknown as QueueDeclaration;
}

function entry(context: TenantContext, broker: Broker, queue: Queue): string {
  const { settings } = queue;
  const now = new Date(context.clock.now()).toISOString();
  return `<entry xmlns="http://www.w3.org/2005/Atom"><id>${xmlText(`${context.origin()}/${settings.name}?api-version=2021-05`)}</id><title type="text">${xmlText(settings.name)}</title><published>${now}</published><updated>${now}</updated><content type="application/xml"><QueueDescription xmlns="${CONNECT}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">${elements(settings)}${runtime(broker, queue, now)}</QueueDescription></content></entry>`;
}

function elements(settings: QueueSettings): string {
  return Object.entries({
    LockDuration: writeDuration(settings.lockDurationMs),
    MaxSizeInMegabytes: settings.maxSizeInMegabytes,
    RequiresDuplicateDetection: settings.requiresDuplicateDetection,
    RequiresSession: settings.requiresSession,
    DefaultMessageTimeToLive: writeDuration(settings.defaultMessageTimeToLiveMs),
    DeadLetteringOnMessageExpiration: settings.deadLetteringOnMessageExpiration,
    DuplicateDetectionHistoryTimeWindow: writeDuration(
      settings.duplicateDetectionHistoryTimeWindowMs,
    ),
    MaxDeliveryCount: settings.maxDeliveryCount,
    EnableBatchedOperations: true,
    Status: settings.status,
    AutoDeleteOnIdle: writeDuration(Number.POSITIVE_INFINITY),
    EnablePartitioning: false,
    EntityAvailabilityStatus: "Available",
    EnableExpress: false,
    MaxMessageSizeInKilobytes: settings.maxMessageSizeBytes / 1024,
  })
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("");
}

function runtime(broker: Broker, queue: Queue, now: string): string {
  const { active, locked, deferred, scheduled } = queue.counts();
  const dead = broker.find(queue.settings.name + DEAD_LETTER_SUFFIX)?.messages.size ?? 0;
  const waiting = active + locked + deferred;
  const counts = Object.entries({
    ActiveMessageCount: waiting,
    DeadLetterMessageCount: dead,
    ScheduledMessageCount: scheduled,
    TransferMessageCount: 0,
    TransferDeadLetterMessageCount: 0,
  })
    .map(([name, value]) => `<d2p1:${name}>${value}</d2p1:${name}>`)
    .join("");
  return `<SizeInBytes>${queue.sizeBytes()}</SizeInBytes><MessageCount>${waiting + dead + scheduled}</MessageCount><CreatedAt>${now}</CreatedAt><UpdatedAt>${now}</UpdatedAt><AccessedAt>${now}</AccessedAt><CountDetails xmlns:d2p1="${COUNTS}">${counts}</CountDetails>`;
}

function namespaceInfo({ context }: AtomWorld): TenantResponse {
  const now = new Date(context.clock.now()).toISOString();
  const body = `<entry xmlns="http://www.w3.org/2005/Atom"><id>${xmlText(`${context.origin()}/$namespaceinfo`)}</id><title type="text">postroom</title><updated>${now}</updated><content type="application/xml"><NamespaceInfo xmlns="${CONNECT}"><CreatedTime>${now}</CreatedTime><MessagingSKU>Standard</MessagingSKU><ModifiedTime>${now}</ModifiedTime><Name>postroom</Name><NamespaceType>Messaging</NamespaceType></NamespaceInfo></content></entry>`;
  return { status: 200, headers: atomHeaders(), body };
}

function feed(content: string): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Publicly Listed Services</title>${content}</feed>`;
}

function atomHeaders(): Record<string, string> {
  return { "content-type": "application/atom+xml;type=entry;charset=utf-8" };
}

function error(status: number, detail: string): TenantResponse {
  return {
    status,
    headers: { "content-type": "application/xml; charset=utf-8" },
    body: `<Error><Code>${status}</Code><Detail>${xmlText(detail)}</Detail></Error>`,
  };
}

function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);
}

function lowerFirst(text: string): string {
  return text[0]!.toLowerCase() + text.slice(1);
}
