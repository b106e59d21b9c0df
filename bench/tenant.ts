import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Pool, request } from "undici";
import type { ReadyLine } from "../tenant/command/run.ts";

/** One figure with the floor it has to reach. */
export interface TenantFigure {
  readonly bench: "tenant";
  readonly case: string;
  readonly ours: number;
  readonly unit: string;
  readonly floor: number | null;
  readonly holds: boolean;
  readonly peakRssMb: number;
}

const READS_PER_SECOND_FLOOR = 2000;
const READERS = 16;
/** Memory stays flat if the tenant keeps nothing of the messages it has shown. */
const WALK_GROWTH_MB_MAX = 150;

/** Reads single messages over loopback, then a folder of a million messages by delta. */
export async function benchTenant(options: { quick?: boolean } = {}): Promise<TenantFigure[]> {
  const server = await startTenant();
  try {
    const seconds = options.quick ? 2 : 10;
    const messages = options.quick ? 50_000 : 1_000_000;
    return [await benchReads(server, seconds), await benchWalk(server, messages)];
  } finally {
    await server.stop();
  }
}

interface Server {
  readonly ready: ReadyLine;
  readonly token: string;
  rssMb(): number;
  stop(): Promise<void>;
}

async function startTenant(): Promise<Server> {
  const home = mkdtempSync(join(tmpdir(), "bench-tenant-"));
  const main = join(home, "main.mts");
  const cli = new URL("../tenant/cli.ts", import.meta.url).href;
  writeFileSync(
    main,
    `import { tenantCommand } from "${cli}";\nawait tenantCommand().parseAsync();\n`,
  );
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", "tsx", main, "--json", "--company", "none"],
    {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: { ...process.env, POSTROOM_HOME: home },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout! }).once("line", resolve);
  });
  const ready = JSON.parse(line) as ReadyLine;
  await callAdmin(ready, "PATCH", "/switches", { throttling: false, tokenLifetimeSeconds: 86_400 });
  return {
    ready,
    token: await fetchToken(ready),
    rssMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) /
      1024,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(home, { recursive: true });
    },
  };
}

async function fetchToken(ready: ReadyLine): Promise<string> {
  const answer = await request(`${ready.entra}/${ready.tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: ready.clientId,
      client_secret: ready.clientSecret,
      scope: "https://graph.microsoft.com/.default",
    }).toString(),
  });
  return ((await answer.body.json()) as { access_token: string }).access_token;
}

async function callAdmin<T>(
  ready: ReadyLine,
  method: "POST" | "PATCH" | "GET",
  path: string,
  body?: object,
): Promise<T> {
  const answer = await request(`${ready.admin}${path}`, {
    method,
    body: body ? JSON.stringify(body) : null,
  });
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${await answer.body.text()}`);
  return (await answer.body.json()) as T;
}

async function benchReads(server: Server, seconds: number): Promise<TenantFigure> {
  const { ready, token } = server;
  const mailbox = ready.users[0]!.userPrincipalName;
  const paths: string[] = [];
  for (let index = 0; index < 200; index++) {
    const body = "A line of an ordinary mail.\n".repeat(20);
    const sent = await callAdmin<{ id: string }>(ready, "POST", "/mail", {
      to: mailbox,
      subject: `Mail ${index}`,
      body,
    });
    paths.push(`/v1.0/users/${mailbox}/messages/${encodeURIComponent(sent.id)}`);
  }
  const pool = new Pool(ready.graph, { connections: READERS });
  const headers = { authorization: `Bearer ${token}` };
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1000;
  let reads = 0;
  const read = async (from: number) => {
    for (let index = from; performance.now() < endMs; index += 1) {
      const answer = await pool.request({
        method: "GET",
        path: paths[index % paths.length]!,
        headers,
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`a read was answered ${answer.statusCode}`);
      reads += 1;
    }
  };
  await Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader * 12)));
  const perSecond = Math.round((reads * 1000) / (performance.now() - startedMs));
  await pool.close();
  return {
    bench: "tenant",
    case: "message reads",
    ours: perSecond,
    unit: "1/s",
    floor: READS_PER_SECOND_FLOOR,
    holds: perSecond >= READS_PER_SECOND_FLOOR,
    peakRssMb: Math.round(server.rssMb()),
  };
}

async function benchWalk(server: Server, count: number): Promise<TenantFigure> {
  const { ready, token } = server;
  const mailbox = ready.users[1]!.userPrincipalName;
  await callAdmin(ready, "POST", `/mailboxes/${mailbox}/fill`, { count });
  const headers = { authorization: `Bearer ${token}`, prefer: "odata.maxpagesize=1000" };
  let url: string | undefined =
    `${ready.graph}/v1.0/users/${mailbox}/mailFolders/inbox/messages/delta?$select=subject,receivedDateTime,isRead`;
  const startedMs = performance.now();
  let seen = 0;
  let firstRssMb = 0;
  let peakRssMb = 0;
  while (url !== undefined) {
    const answer = await request(url, { headers });
    const page = (await answer.body.json()) as { value: unknown[]; "@odata.nextLink"?: string };
    if (answer.statusCode !== 200) throw new Error(`the walk was answered ${answer.statusCode}`);
    seen += page.value.length;
    url = page["@odata.nextLink"];
    peakRssMb = Math.max(peakRssMb, server.rssMb());
    // In the first tenth the heap finds its size; only its growth after that counts.
    if (seen < count / 10) firstRssMb = peakRssMb;
  }
  if (seen !== count) throw new Error(`the walk saw ${seen} of ${count} messages`);
  return {
    bench: "tenant",
    case: `delta round of ${count} messages`,
    ours: Math.round((seen * 1000) / (performance.now() - startedMs)),
    unit: "messages/s",
    floor: null,
    holds: peakRssMb - firstRssMb < WALK_GROWTH_MB_MAX,
    peakRssMb: Math.round(peakRssMb),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const figure of await benchTenant({ quick: process.argv.includes("--quick") })) {
    process.stdout.write(`${JSON.stringify(figure)}\n`);
  }
}
