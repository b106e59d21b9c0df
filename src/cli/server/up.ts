/**
 * Runs everything on this machine: PostgreSQL, a local tenant with a small company in it, the server and
 * its workers, and sample mail that arrives while you watch.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Command } from "commander";
import { pino } from "pino";
import { lockHome } from "../../app/home-lock.ts";
import type { App } from "../../app.ts";
import { type Config, loadConfigAndVault, processEnvironment } from "../../config.ts";
import { followDocuments } from "../../flows/specs/search.ts";
import { systemClock } from "../../lib/clock.ts";
import { createHttp } from "../../lib/http.ts";
import { createLog } from "../../lib/log.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { findEvents } from "../../mailbox/events/event-table.ts";
import { upsertMailbox } from "../../mailbox/mailbox-table.ts";
import { approveSender, findApprovedSenders } from "../../trades/senders/sender-table.ts";
import { findTrades } from "../../trades/trade-table.ts";
import { LOCAL_TENANT_FILE, type LocalTenant } from "../base/as-person.ts";
import { pc } from "../base/colours.ts";
import { CommandError } from "../base/exit.ts";
import { plain, shortTime } from "../base/output.ts";
import { openConsoleFiles } from "../console/open-console-files.ts";
import { createSampleSignIn } from "../console/sample-people.ts";
import { offerMatters } from "./sample-matters.ts";
import { registerRedirects } from "./sample-redirects.ts";
import { beginWatching, stopSignal } from "./serve.ts";

const SAMPLE_EVERY = "15s";
/** Documents with different readers, to search at once; `postroom tenant fill` files the others. */
const LIBRARY_SIZE = "12";

interface TenantReady {
  readonly graph: string;
  readonly entra: string;
  readonly admin: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly dataverse: string;
  readonly containerId: string;
  readonly apps: readonly { readonly appId: string; readonly secret: string | null }[];
  readonly users: readonly {
    readonly id: string;
    readonly userPrincipalName: string;
    readonly hasMailbox: boolean;
  }[];
}

export function upCommand(): Command {
  return new Command("up")
    .description("run everything on this machine with a local tenant; needs no Microsoft account")
    .option("--quiet", "do not print events as they happen")
    .option("--no-sample-mail", "do not send sample mail")
    .action((options: UpOptions) => runUp(options));
}

interface UpOptions {
  readonly quiet?: boolean;
  readonly sampleMail: boolean;
}

async function runUp(options: UpOptions): Promise<void> {
  const stopped = stopSignal();
  const config = await loadConfigAndVault(processEnvironment());
  const { home, port } = config;
  await makeFolder(home);
  const release = await lockHome(home, { hasDatabase: config.databaseUrl === null });
  try {
    await assertFree(port);
    const isFirst = !existsSync(tenantState(home));
    await runWithTenant(
      { ...options, isFirst },
      await startTenant(home, port, options.sampleMail),
      config,
      stopped,
    );
  } finally {
    await release();
  }
}

async function runWithTenant(
  options: UpOptions & { readonly isFirst: boolean },
  tenant: Awaited<ReturnType<typeof startTenant>>,
  { home, port, logLevel: level }: Config,
  stopped: Promise<void>,
): Promise<void> {
  try {
    const log = createLog({
      level,
      to: pino.destination({ dest: join(home, "postroom.log"), mkdir: true, sync: false }),
    });
    const config = await toLocalConfig(tenant.ready, port);
    await registerRedirects(tenant.ready, port);
    const consoleFiles = openConsoleFiles((line) => process.stderr.write(`${line}\n`));
    const sampleSignIn = await createSampleSignIn(tenant.ready);
    const { startApp } = await import("../../app.ts");
    const app = await startApp(config, { log, hasHome: true, consoleFiles, sampleSignIn });
    await introducePeople(home, tenant.ready);
    const trusted = await trustSamples(app);
    await watchEveryone(app, tenant.ready);
    await announceMail(app, tenant.ready);
    await indexLibrary(app);
    await offerMatters(app, tenant.ready.users);
    beginWatching(app);
    if (options.isFirst && options.sampleMail) await sampleSignIn.steering.play("questions");
    greet(app, tenant.ready, { home, trusted });
    const stopShowing = options.quiet ? () => {} : showEvents(app);
    const tenantEnd = await Promise.race([stopped, tenant.ended]);
    stopShowing();
    process.stdout.write(pc.dim("stopping…\n"));
    await app.stop();
    await sampleSignIn.close();
    if (tenantEnd !== undefined) throw new CommandError(tenantEnd);
  } finally {
    await tenant.stop();
  }
}

/** Commands with `--as` sign in as one of them. */
async function introducePeople(home: string, { entra, tenantId, apps, users }: TenantReady) {
  const local: LocalTenant = {
    entra,
    tenantId,
    apiAppId: apps[1]!.appId,
    pageAppId: apps[2]!.appId,
    people: users.map(({ userPrincipalName }) => userPrincipalName),
  };
  await writeFile(join(home, LOCAL_TENANT_FILE), JSON.stringify(local));
}

/** The settings of a local run: the tenant's address and app in place of Microsoft's. */
function toLocalConfig(tenant: TenantReady, port: number): Promise<Config> {
  return loadConfigAndVault({
    ...processEnvironment(),
    GRAPH_TENANT_ID: tenant.tenantId,
    GRAPH_CLIENT_ID: tenant.clientId,
    GRAPH_CLIENT_SECRET: tenant.clientSecret,
    GRAPH_BASE_URL: tenant.graph,
    GRAPH_AUTHORITY: tenant.entra,
    GRAPH_WEBHOOK_URL: `http://127.0.0.1:${port}`,
    CONSOLE_APP_ID: tenant.apps[2]!.appId,
    ...documentSettings(tenant),
  });
}

/** The second app registration is the API that people sign in to; it also files their documents. */
function documentSettings(tenant: TenantReady): Record<string, string> {
  const [, api] = tenant.apps;
  return {
    TENANT_ID: tenant.tenantId,
    API_APP_ID: api!.appId,
    API_CLIENT_SECRET: api!.secret!,
    Dataverse__ServiceUrl: tenant.dataverse,
    EmailProcessing__DefaultContainerId: tenant.containerId,
    // Only this machine's tenant knows the secret, and it stays the same at the next start.
    EmailProcessing__WebhookSecret: api!.secret!,
    EmailProcessing__DefaultAction: "AutoSave",
  };
}

/** Registers the webhook for new e-mails in Dataverse, as an administrator would. */
async function announceMail(app: App, tenant: TenantReady): Promise<void> {
  const url = `${app.url}/api/v1/emails/webhook-trigger`;
  const http = createHttp({ allowedOrigins: [tenant.admin], unavailable: "dataverse.unavailable" });
  try {
    const rows = await http({ method: "GET", url: `${tenant.admin}/dataverse/serviceendpoint` });
    if (rows.body.includes(JSON.stringify(url).slice(1, -1))) return;
    const key = tenant.apps[1]!.secret!;
    const body = JSON.stringify({
      url,
      table: "email",
      message: "Create",
      auth: { type: "key", key },
    });
    const headers = { "content-type": "application/json" };
    await http({ method: "POST", url: `${tenant.admin}/dataverse/webhooks`, headers, body });
  } finally {
    await http.close();
  }
}

/** The sample documents can be searched at once, not only after the next scheduled round. */
async function indexLibrary({ database, jobs, clock }: App): Promise<void> {
  const idempotencyKey = `up:${clock.now()}`;
  await database.transaction((tx) =>
    jobs.queue.add(tx, followDocuments, [{ subjectId: "up", idempotencyKey, payload: {} }]),
  );
}

async function assertFree(port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) =>
    probe.once("error", fail).listen(port, "127.0.0.1", done),
  );
  await new Promise((done) => probe.close(done));
}

const tenantState = (home: string): string => join(home, "tenant-state.json");

/** The tenant runs as a separate process, like a real one; its state is kept in the home folder. */
async function startTenant(
  home: string,
  port: number,
  hasSampleMail: boolean,
): Promise<{ ready: TenantReady; ended: Promise<string>; stop: () => Promise<void> }> {
  const child = spawn(
    process.execPath,
    [
      // The script that started this process, in a checkout or an installed package.
      process.argv[1]!,
      "tenant",
      "--json",
      "--port",
      String(port + 1),
      "--state",
      tenantState(home),
      "--library",
      LIBRARY_SIZE,
      ...(hasSampleMail ? ["--drip", SAMPLE_EVERY] : []),
    ],
    // Ctrl-C in the terminal reaches only us; we stop the tenant after everything that uses it.
    {
      // The channel closes when we exit, for whatever reason, and then the tenant exits too.
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      detached: true,
      env: { ...processEnvironment(), POSTROOM_HOME: home } as NodeJS.ProcessEnv,
    },
  );
  const ready = JSON.parse(await firstLine(child)) as TenantReady;
  const ended = new Promise<string>((done) =>
    child.once("exit", (code, signal) =>
      done(`the local tenant ended (${signal ?? `exit code ${code}`}), so everything was stopped`),
    ),
  );
  return { ready, ended, stop: () => stopChild(child) };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    child.stdout!.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end >= 0) done(text.slice(0, end));
    });
    child.once("exit", () =>
      fail(new CommandError("the local tenant did not start; see its message above")),
    );
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await ended;
}

/** Watches every mailbox, and ingests contract notes from the operations mailbox. */
async function watchEveryone(app: App, tenant: TenantReady): Promise<void> {
  for (const [index, user] of tenant.users.filter(({ hasMailbox }) => hasMailbox).entries()) {
    await upsertMailbox(app.database, {
      address: user.userPrincipalName,
      graphUserId: user.id,
      ownerId: user.id,
      ingestFolder: index === 0 ? "Inbox" : null,
    });
  }
}

/**
 * Approves the sample brokers, as a firm would have done after its first weeks. Done once, on a new database:
 * what you revoke stays revoked.
 */
async function trustSamples(app: App): Promise<string> {
  const { database } = app;
  const people = await app.notes.readDirectory();
  const isNew = (await findApprovedSenders(database)).length === 0;
  if (!isNew || (await findTrades(database)).length > 0) return `${people} people of the directory`;
  const { SKINS } = await import("../../../tenant/content/notes/skins.ts");
  await database.transaction(async (tx) => {
    for (const { id } of SKINS)
      await approveSender(tx, {
        pattern: `documents@${id}.example`,
        by: "postroom up",
        until: null,
      });
  });
  return `approved ${SKINS.length} sample brokers, knows ${people} people (postroom senders list, postroom people list)`;
}

function greet(
  app: App,
  tenant: TenantReady,
  { home, trusted }: { home: string; trusted: string },
): void {
  const lines = [
    "",
    `  ${pc.bold("Postroom")} is up`,
    "",
    `  console   ${pc.cyan(app.url)}  (one click signs you in; health: ${app.url}/healthz)`,
    `  Outlook   ${pc.cyan(`${app.url}/addin/host.html`)}  (the add-in's pane, without Office)`,
    `  tenant    ${pc.cyan(tenant.graph)}  with ${tenant.users.length} people`,
    `  data      ${home}`,
    `  trust     ${trusted}`,
    "",
    "  Try, in another terminal:",
    `    npx postroom tenant send --to ${tenant.users[0]!.userPrincipalName} --subject Hello`,
    "    npx postroom events list",
    "    npx postroom trades list",
    "    npx postroom documents file README.md",
    '    npx postroom search "access cards" --as nina.berg',
    "    npx postroom audit",
    "",
    pc.dim("  Events appear below as they happen. Press Ctrl-C to stop everything."),
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints events and trades as they are written, starting from now. */
function showEvents(app: App): () => void {
  const stop = new AbortController();
  const show = async () => {
    let after = (await findEvents(app.database, { limit: 1 }))[0]?.seq ?? 0;
    let tradesSince = new Date(app.clock.now());
    while (!stop.signal.aborted) {
      for (const event of await findEvents(app.database, { order: "oldest", after, limit: 100 })) {
        after = event.seq;
        const folder = pc.dim(plain(event.folderName));
        const what = `${plain(event.mailbox)}  ${folder}  ${plain(event.sender.email)}  ${pc.bold(plain(event.subject))}`;
        process.stdout.write(
          `  ${pc.dim(shortTime(event.seenAt))}  ${pc.green(event.eventType.padEnd(10))} ${what}\n`,
        );
      }
      const trades = await findTrades(app.database, { since: tradesSince });
      for (const trade of trades.reverse()) {
        tradesSince = new Date(
          Math.max(tradesSince.getTime(), new Date(trade.createdAt).getTime() + 1),
        );
        process.stdout.write(
          `  ${pc.dim(shortTime(trade.createdAt))}  ${pc.magenta("trade".padEnd(10))} ${pc.bold(plain(trade.tradeKey))}  ${trade.status}\n`,
        );
      }
      await systemClock.sleep(300, stop.signal);
    }
  };
  show().catch((error: unknown) => {
    if (!stop.signal.aborted)
      process.stderr.write(`cannot show events: ${(error as Error).message}\n`);
  });
  return () => stop.abort();
}
