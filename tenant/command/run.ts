import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { startDrip } from "../content/fill-company.ts";
import { createTenant, type Tenant } from "../create-tenant.ts";
import { parseDurationMs } from "../durations.ts";
import { homePath, wrongUsage } from "./connection.ts";
import { keepState } from "./keep-state.ts";

export interface RunOptions {
  readonly port: string;
  readonly json?: boolean;
  readonly tls?: boolean;
  readonly seed?: string;
  /** True for the default start, or an ISO time to start at. */
  readonly virtualClock?: string | true;
  readonly state?: string;
  readonly company: "none" | "small";
  /** How many sample documents are filed at the start. */
  readonly library: string;
  readonly drip?: string;
}

/** Runs a tenant in the foreground until SIGTERM or SIGINT. */
export async function runTenant(options: RunOptions): Promise<void> {
  const port = readPort(options.port);
  const dripMs = readDrip(options.drip);
  const library = readCount(options.library);
  const isNew = !existsSync(options.state ?? "");
  const tenant = await createTenant({
    port,
    tls: options.tls === true,
    company: isNew ? options.company : "none",
    library: isNew ? library : 0,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.state === undefined ? {} : { contentFolder: `${options.state}.large` }),
    ...readClock(options.virtualClock),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") throw new Error(`port ${port} is taken`);
    throw error;
  });
  const stopSaving = options.state === undefined ? () => {} : keepState(tenant, options.state);
  const stopDrip = dripMs === null ? () => {} : drip(tenant, dripMs);
  const caPath = tenant.ca === null ? null : writeAuthority(tenant.ca);
  const ready = describe(tenant, caPath);
  const forget = announceHere(ready);
  process.stdout.write(options.json ? `${JSON.stringify(ready)}\n` : inWords(ready));

  await new Promise<void>((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    // The program that started us has exited, perhaps without a chance to tell us.
    process.once("disconnect", () => resolve());
  });
  process.channel?.unref();
  stopDrip();
  stopSaving();
  forget();
  await tenant.close();
}

function readDrip(every: string | undefined): number | null {
  if (every === undefined) return null;
  const everyMs = parseDurationMs(every);
  if (everyMs === null || everyMs < 1)
    throw wrongUsage(`--drip takes a time such as 20s, not ${every}`);
  return everyMs;
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw wrongUsage(`--library takes a number of documents, not ${text}`);
}

function drip(tenant: Tenant, everyMs: number): () => void {
  // A saved state already contains the mail of earlier runs; the number makes this run's mail new.
  const seed = `drip-${tenant.journal.entries().length}`;
  return startDrip(tenant, { to: tenant.users[0]!.id, everyMs, seed });
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port;
  throw wrongUsage(`--port must be a number from 0 to 65535, not ${text}`);
}

function readClock(setting: RunOptions["virtualClock"]) {
  if (setting === undefined) return {};
  if (setting === true) return { clock: "virtual" as const };
  if (Number.isNaN(Date.parse(setting))) {
    throw wrongUsage(
      `--virtual-clock takes an ISO time such as 2026-01-05T08:00:00Z, not ${setting}`,
    );
  }
  return { clock: "virtual" as const, startAt: setting };
}

export interface ReadyLine {
  readonly graph: string;
  readonly entra: string;
  readonly dataverse: string;
  readonly serviceBus: string | null;
  readonly eventHubs: string | null;
  readonly admin: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly users: readonly {
    readonly id: string;
    readonly userPrincipalName: string;
    readonly hasMailbox: boolean;
  }[];
  readonly apps: readonly {
    readonly appId: string;
    readonly displayName: string;
    readonly secret: string | null;
  }[];
  readonly containerTypeId: string;
  /** A SharePoint Embedded container that every user may write to. */
  readonly containerId: string;
  /** Path of the local authority's PEM file; null without TLS. */
  readonly ca: string | null;
}

function describe(tenant: Tenant, ca: string | null): ReadyLine {
  return {
    ...tenant.addresses,
    tenantId: tenant.tenantId,
    clientId: tenant.clientId,
    clientSecret: tenant.clientSecret,
    users: tenant.users.map(({ id, userPrincipalName, hasMailbox }) => ({
      id,
      userPrincipalName,
      hasMailbox,
    })),
    apps: tenant.apps.map(({ appId, displayName, secrets }) => ({
      appId,
      displayName,
      secret: secrets[0] ?? null,
    })),
    containerTypeId: tenant.drives.admin.containerTypeId,
    containerId: tenant.drives.admin.defaultContainerId,
    ca,
  };
}

function inWords(ready: ReadyLine): string {
  const lines = [
    "A Microsoft tenant is running. Ctrl-C stops it.",
    "",
    `  Graph, Entra, Dataverse   ${ready.graph}`,
    `  Service Bus               ${ready.serviceBus ?? "not started"}`,
    `  Event hub                 EntityPath=notifications at the same connection string`,
    `  Admin                     ${ready.admin}`,
    `  Tenant id                 ${ready.tenantId}`,
    `  Client id, secret         ${ready.clientId}  ${ready.clientSecret}`,
    ...(ready.ca === null ? [] : [`  Authority                 NODE_EXTRA_CA_CERTS=${ready.ca}`]),
    "",
    ...ready.users.map((user) => `  ${user.userPrincipalName}`),
    "",
    `Try: postroom tenant send --to ${ready.users[0]?.userPrincipalName} --subject Hello`,
  ];
  return `${lines.join("\n")}\n`;
}

function writeAuthority(pem: string): string {
  const path = resolve(homePath("tenant-ca.pem"));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, pem);
  return path;
}

/** Writes the addresses for the other commands, unless another running tenant has written its own. */
function announceHere(ready: ReadyLine): () => void {
  const path = homePath("tenant.json");
  if (isAlive(readOwner(path))) return () => {};
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ pid: process.pid, ...ready })}\n`, { mode: 0o600 });
  return () => {
    if (readOwner(path) === process.pid) rmSync(path, { force: true });
  };
}

function readOwner(path: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(path, "utf8")) as { pid?: unknown };
    return typeof pid === "number" ? pid : null;
  } catch {
    return null; // there is no readable file
  }
}

function isAlive(pid: number | null): boolean {
  if (pid === null || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
