import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type App, type AppOptions, startApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { createLog, type Log } from "../../src/lib/log.ts";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { createTenant, type Tenant, type TenantOptions } from "../../tenant/index.ts";
import { afterEachFile } from "./after-file.ts";
import { freshDatabaseUrl } from "./database.ts";

const closers: (() => Promise<unknown>)[] = [];

/** The secrets in the settings of this file's apps; tests call their own secrets canaries. */
const canaries = new Set<string>();
const leaks: string[] = [];
const JWT = /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/;

// Every log line of every app in the whole run is looked through for secrets.
afterEachFile(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  canaries.clear();
  expect(leaks.splice(0), "log lines that show a secret").toEqual([]);
});

function watchLeaks(line: string): void {
  if (JWT.test(line) || ["canary", ...canaries].some((secret) => line.includes(secret)))
    leaks.push(line);
}

/** A tenant for this test file, closed at its end. */
export async function aTenant(options: TenantOptions = {}): Promise<Tenant> {
  const tenant = await createTenant({
    company: "none",
    serviceBus: false,
    ...options,
    // Without a wait in each call; the limits have tests of their own.
    switches: { deliveryDelayMs: 0, mailboxLatencyMs: 0, ...options.switches },
  });
  closers.push(tenant.close);
  return tenant;
}

export interface TestApp extends App {
  /** Every log line written so far, parsed. */
  readonly logLines: Record<string, unknown>[];
  readonly home: string;
  readonly port: number;
}

/** The settings for a tenant on this machine. */
export async function settingsFor(
  tenant: Tenant | null,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const port = String(await freePort());
  const home = await mkdtemp(join(tmpdir(), "postroom-home-"));
  closers.push(() => rm(home, { recursive: true, force: true }));
  return {
    PORT: port,
    POSTROOM_HOME: home,
    DATABASE_URL: more["DATABASE_URL"] ?? (await freshDatabaseUrl()),
    ...(tenant === null
      ? {}
      : {
          GRAPH_TENANT_ID: tenant.tenantId,
          GRAPH_CLIENT_ID: tenant.clientId,
          GRAPH_CLIENT_SECRET: tenant.clientSecret,
          GRAPH_BASE_URL: tenant.addresses.graph,
          GRAPH_AUTHORITY: tenant.addresses.entra,
          GRAPH_WEBHOOK_URL: `http://127.0.0.1:${port}`,
        }),
    ...more,
  };
}

export async function anApp(
  tenant: Tenant | null,
  more: Record<string, string> = {},
  options: AppOptions = {},
): Promise<TestApp> {
  const settings = await settingsFor(tenant, more);
  const config = loadConfig(settings);
  for (const secret of secretsIn(settings)) canaries.add(secret);
  const { log, lines } = aLog();
  const app = await startApp(config, { log, intakeWriteMs: 30_000, ...options });
  closers.push(app.stop);
  return Object.assign(app, { logLines: lines, home: config.home, port: config.port });
}

export function secretsIn(settings: Record<string, string>): string[] {
  const password = new URL(settings["DATABASE_URL"]!).password;
  const named = Object.entries(settings).filter(([name, value]) => /secret/i.test(name) && value);
  return [password, ...named.map(([, value]) => value)].filter((secret) => secret !== "");
}

export function aLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: "debug",
    to: {
      write(line: string) {
        watchLeaks(line);
        lines.push(JSON.parse(line));
      },
    },
  });
  return { log, lines };
}

/** Watches these users' mailboxes and waits until the subscriptions and the first round are complete. */
export async function watch(
  app: App,
  tenant: Tenant,
  userNames: readonly string[],
  ingestFolder: string | null = null,
): Promise<void> {
  for (const name of userNames) {
    const user = tenant.users.find((other) => other.userPrincipalName.startsWith(name))!;
    await upsertMailbox(app.database, {
      address: user.userPrincipalName,
      graphUserId: user.id,
      ownerId: user.id,
      ingestFolder,
    });
  }
  await app.watching.begin();
  await app.jobs.workUntilIdle();
}

/** Waits for a condition; the limit is for a test that is wrong, not for a slow machine. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  limitMs = 60_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
