/**
 * The checks that an operator would otherwise do by hand: permissions, reachability, clocks, secrets, learned
 * limits.
 */
import type { Clock } from "../../lib/clock.ts";
import { toFault } from "../../lib/fault.ts";
import { claimsOf } from "../../microsoft/identity/app-token.ts";
import type { Queryable } from "../../store/database.ts";
import type { Connections } from "../connections.ts";
import { findCoverage } from "../events/event-statistics.ts";
import { findMailboxes, type Mailbox } from "../mailbox-table.ts";
import { findSubscriptions } from "../subscriptions/subscription-table.ts";
import { verifyMailbox } from "../verify-mailbox.ts";

export interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  /** The command to run or the setting to change. */
  readonly fix?: string;
}

export type CheckOutcome = Omit<Check, "name">;

/** A check of another part of Postroom. Its name is known before it ends, because it may end too late. */
export interface FurtherCheck {
  readonly name: string;
  check(): Promise<CheckOutcome>;
}

export interface DiagnosisNeeds {
  readonly database: Queryable;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly webhookUrl: string | null;
  readonly whyUnreachable: () => Promise<string | null>;
  /** The length of the secret from the settings. */
  readonly sharedSecretLength: number | null;
  /** How long one check may take. */
  readonly checkMs?: number;
  readonly further?: readonly FurtherCheck[];
}

const CHECK_MS = 10_000;
const SKEW_MS_MAX = 60_000;
const SECRET_LENGTH_MIN = 32;
const DAY_MS = 24 * 60 * 60 * 1_000;
const GRAPH_API = "00000003-0000-0000-c000-000000000000";
/** Graph's own ids of the application permissions that we need. */
const PERMISSIONS = [
  {
    oneOf: ["Mail.Read", "Mail.ReadWrite"],
    id: "810c84a8-4a9e-49e6-bf7d-12d183f40d01",
    name: "Mail.Read",
  },
  {
    oneOf: ["User.Read.All", "User.ReadBasic.All", "Directory.Read.All"],
    id: "df021288-bdef-4463-88db-98f22de89214",
    name: "User.Read.All",
  },
];

/** `outside` names a mailbox that the app must not be able to read. */
export async function diagnose(needs: DiagnosisNeeds, outside?: string): Promise<Check[]> {
  const mailboxes = await findMailboxes(needs.database);
  const { names } = needs.connections;
  const guard = (name: string, check: () => Promise<Check>) => guarded(needs, name, check);
  const checks = await Promise.all([
    ...(names.length === 0 ? [NO_CONNECTION] : []),
    ...names.flatMap((name) => [
      guard(`permissions (${name})`, () => checkPermissions(needs, name)),
      guard(`clock (${name})`, () => checkClock(needs, name)),
    ]),
    guard("public address", () => checkWebhook(needs)),
    guard("push", () => checkPush(needs, mailboxes)),
    ...mailboxes
      .filter((mailbox) => mailbox.status !== "paused")
      .map((mailbox) => guard(`mailbox ${mailbox.address}`, () => checkMailbox(needs, mailbox))),
    ...learnedCaps(mailboxes),
    ...checkSecret(needs),
    ...(outside === undefined
      ? []
      : [guard(`outside ${outside}`, () => checkOutside(needs, outside))]),
    ...(needs.further ?? []).map(({ name, check }) =>
      guard(name, async () => ({ name, ...(await check()) })),
    ),
  ]);
  return checks;
}

const NO_CONNECTION: Check = {
  name: "connection",
  status: "failed",
  detail: "no tenant is set up",
  fix: "set GRAPH_TENANT_ID, GRAPH_CLIENT_ID and GRAPH_CLIENT_SECRET",
};

/** Each check fails by itself, and none waits for another. */
async function guarded(
  { clock, checkMs = CHECK_MS }: DiagnosisNeeds,
  name: string,
  check: () => Promise<Check>,
): Promise<Check> {
  const end = new AbortController();
  const tooLate = clock.sleep(checkMs, end.signal).then(
    (): Check => ({
      name,
      status: "failed",
      detail: `no answer within ${checkMs / 1_000} s`,
      fix: "try again; if it persists, check the network between this machine and Microsoft",
    }),
  );
  try {
    return await Promise.race([check(), tooLate]);
  } catch (error) {
    return { name, status: "failed", detail: toFault(error).message };
  } finally {
    end.abort();
  }
}

async function checkPermissions(needs: DiagnosisNeeds, connection: string): Promise<Check> {
  const name = `permissions (${connection})`;
  // A kept token would only say that Entra accepted the secret an hour ago.
  const claims = claimsOf(
    await needs.connections.getAccessTokenForMailbox({ connection }, { forceNew: true }),
  );
  if ((await needs.connections.personOf(connection)) !== null)
    return { name, status: "ok", detail: "acts for one person and reads only that person's mail" };
  const roles = Array.isArray(claims["roles"]) ? (claims["roles"] as string[]) : [];
  const missing = PERMISSIONS.filter(({ oneOf }) => !oneOf.some((role) => roles.includes(role)));
  if (missing.length === 0)
    return {
      name,
      status: "ok",
      detail: `Entra accepts the secret; the app has the permissions ${roles.join(", ")}`,
    };
  const app = String(claims["appid"] ?? claims["azp"]);
  const grants = missing.map(({ id }) => `${id}=Role`).join(" ");
  return {
    name,
    status: "failed",
    detail: `the app lacks ${missing.map((one) => one.name).join(" and ")}`,
    fix: `az ad app permission add --id ${app} --api ${GRAPH_API} --api-permissions ${grants} && az ad app permission admin-consent --id ${app}`,
  };
}

async function checkClock(needs: DiagnosisNeeds, connection: string): Promise<Check> {
  const name = `clock (${connection})`;
  const aheadMs = await needs.connections.aheadOfGraphMs(connection);
  if (aheadMs === null) return { name, status: "warning", detail: "Graph did not say its time" };
  const seconds = Math.round(aheadMs / 1_000);
  const detail = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} Graph`;
  return Math.abs(aheadMs) <= SKEW_MS_MAX
    ? { name, status: "ok", detail }
    : { name, status: "failed", detail, fix: "sudo timedatectl set-ntp true" };
}

async function checkWebhook(needs: DiagnosisNeeds): Promise<Check> {
  const name = "public address";
  if (needs.webhookUrl === null)
    return {
      name,
      status: "warning",
      detail: "none is set; mail is read once a minute, without notifications",
      fix: "set GRAPH_WEBHOOK_URL to an https address that leads to this server (docs/mailboxes.md)",
    };
  const reason = await needs.whyUnreachable();
  return reason === null
    ? { name, status: "ok", detail: `${needs.webhookUrl} answers without a redirect` }
    : {
        name,
        status: "failed",
        detail: `${needs.webhookUrl}: ${reason}`,
        fix: 'docs/troubleshooting.md, "My mailbox went quiet"',
      };
}

/**
 * Detects a mailbox that is subscribed although every change was found by reading: something in front of us
 * blocks Graph.
 */
async function checkPush(needs: DiagnosisNeeds, mailboxes: readonly Mailbox[]): Promise<Check> {
  const name = "push";
  const since = new Date(needs.clock.now() - DAY_MS);
  const coverage = await findCoverage(needs.database, since);
  const isNotified = (address: string) =>
    mailboxes.some((one) => one.address === address && (one.lastNotificationAt ?? 0) >= since);
  const silent = coverage.filter(
    (row) => row.events > 0 && row.byPush === 0 && !isNotified(row.mailbox),
  );
  if (needs.webhookUrl === null || silent.length === 0)
    return { name, status: "ok", detail: "notifications arrive as expected" };
  return {
    name,
    status: "failed",
    detail: `0 % of the events of the last day were notified for ${silent.map((row) => row.mailbox).join(", ")}`,
    fix: "let POST /webhooks/graph through the firewall, bot protection and any sign-in in front",
  };
}

async function checkMailbox(needs: DiagnosisNeeds, mailbox: Mailbox): Promise<Check> {
  const name = `mailbox ${mailbox.address}`;
  const found = await verifyMailbox(needs.connections, mailbox.connection, mailbox.address);
  if (!found.isReadable) return { name, status: "failed", detail: found.reason };
  const lost = await findLostSubscription(needs, mailbox);
  if (lost !== null)
    return {
      name,
      status: "failed",
      detail: `readable, but Graph no longer knows its subscription ${lost}`,
      fix: "postroom sub ensure",
    };
  const isQuiet = mailbox.delivery === "poll";
  const detail = `readable; by ${mailbox.delivery}: ${mailbox.deliveryReason}`;
  return { name, status: isQuiet ? "warning" : "ok", detail };
}

/** The id of a subscription that we rely on and Graph does not have. */
async function findLostSubscription(
  { database, connections }: DiagnosisNeeds,
  mailbox: Mailbox,
): Promise<string | null> {
  for (const { status, subscriptionId } of await findSubscriptions(database, mailbox.id)) {
    if (status !== "active" || subscriptionId === null) continue;
    try {
      await connections
        .graph(mailbox.connection)
        .call({ path: `/subscriptions/${subscriptionId}` });
    } catch (error) {
      if (toFault(error).code === "graph.not-found") return subscriptionId;
      throw error;
    }
  }
  return null;
}

function learnedCaps(mailboxes: readonly Mailbox[]): Check[] {
  return mailboxes
    .filter((mailbox) => mailbox.subscriptionMinutesMax !== null)
    .map((mailbox) => ({
      name: `limit ${mailbox.address}`,
      status: "ok",
      detail: `Graph grants subscriptions of ${mailbox.subscriptionMinutesMax} minutes here, which Postroom now requests`,
    }));
}

function checkSecret({ sharedSecretLength: length }: DiagnosisNeeds): Check[] {
  if (length === null) return [];
  return [
    length >= SECRET_LENGTH_MIN
      ? { name: "GRAPH_CLIENT_STATE", status: "ok", detail: "long enough" }
      : {
          name: "GRAPH_CLIENT_STATE",
          status: "warning",
          detail: `has ${length} characters; notifications could be forged by guessing it`,
          fix: "openssl rand -base64 32, set it, then postroom sub rotate",
        },
  ];
}

/** Proves that the app cannot read a mailbox that it should not. */
async function checkOutside(needs: DiagnosisNeeds, address: string): Promise<Check> {
  const name = `outside ${address}`;
  const found = await verifyMailbox(needs.connections, needs.connections.names[0]!, address);
  if (!found.isReadable && found.isUnknown)
    return {
      name,
      status: "failed",
      detail: found.reason,
      fix: "use the address of a mailbox that exists",
    };
  if (!found.isReadable) return { name, status: "ok", detail: `out of reach: ${found.reason}` };
  return {
    name,
    status: "failed",
    detail: "the app can read this mailbox although it should not",
    fix: `New-ApplicationAccessPolicy -AppId <client id> -PolicyScopeGroupId <group of watched mailboxes> -AccessRight RestrictAccess`,
  };
}
