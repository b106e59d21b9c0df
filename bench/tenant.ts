import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Pool, request } from "undici";
import type { ReadyLine } from "../tenant/command/run.ts";
import { createTenant } from "../tenant/index.ts";

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

const UPLOAD_PEAK_MB_MAX = 400;
const RESET_MS_MAX = 50;
const MIB = 1024 * 1024;

/** Reads over loopback, a delta walk of a million messages, an upload of 1 GiB, and resets. */
export async function benchTenant(options: { quick?: boolean } = {}): Promise<TenantFigure[]> {
  const server = await startTenant();
  try {
    const seconds = options.quick ? 2 : 10;
    const messages = options.quick ? 50_000 : 1_000_000;
    const uploadBytes = options.quick ? 100 * MIB : 1024 * MIB;
    return [
      await benchReads(server, seconds),
      await benchWalk(server, messages),
      await benchUpload(server, uploadBytes),
      await benchReset(server),
    ];
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

/** An upload in chunks of 10 MiB; what the tenant keeps of it must not be in its memory. */
async function benchUpload(server: Server, totalBytes: number): Promise<TenantFigure> {
  const { ready, token } = server;
  const created = await request(
    `${ready.graph}/v1.0/drives/${ready.containerId}/root:/large.bin:/createUploadSession`,
    { method: "POST", headers: { authorization: `Bearer ${token}` } },
  );
  const { uploadUrl } = (await created.body.json()) as { uploadUrl: string };
  const chunk = Buffer.alloc(10 * MIB, "x");
  const startedMs = performance.now();
  let peakRssMb = 0;
  let status = 0;
  for (let at = 0; at < totalBytes; at += chunk.length) {
    const body = chunk.subarray(0, Math.min(chunk.length, totalBytes - at));
    const answer = await request(uploadUrl, {
      method: "PUT",
      headers: { "content-range": `bytes ${at}-${at + body.length - 1}/${totalBytes}` },
      body,
    });
    await answer.body.dump();
    status = answer.statusCode;
    peakRssMb = Math.max(peakRssMb, server.rssMb());
  }
  if (status !== 201) throw new Error(`the last chunk was answered ${status}`);
  return {
    bench: "tenant",
    case: `upload of ${totalBytes / MIB} MiB`,
    ours: Math.round((totalBytes / MIB) * (1000 / (performance.now() - startedMs))),
    unit: "MiB/s",
    floor: null,
    holds: peakRssMb < UPLOAD_PEAK_MB_MAX,
    peakRssMb: Math.round(peakRssMb),
  };
}

/** Processor time of the slowest of twenty resets of a small company, each after some new mail. */
async function benchReset(server: Server): Promise<TenantFigure> {
  const tenant = await createTenant({ host: null, company: "small", serviceBus: false });
  const took: number[] = [];
  for (let round = 0; round < 20; round++) {
    for (let mail = 0; mail < 20; mail++) {
      await tenant.graph.admin.sendMail({ to: tenant.users[0]!.id, subject: `Mail ${mail}` });
    }
    const before = process.cpuUsage();
    tenant.reset();
    const { user, system } = process.cpuUsage(before);
    took.push((user + system) / 1000);
  }
  await tenant.close();
  const slowestMs = Math.max(...took);
  return {
    bench: "tenant",
    case: "slowest of 20 resets",
    ours: Math.round(slowestMs),
    unit: "ms",
    floor: null,
    holds: slowestMs < RESET_MS_MAX,
    peakRssMb: Math.round(server.rssMb()),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const figure of await benchTenant({ quick: process.argv.includes("--quick") })) {
    process.stdout.write(`${JSON.stringify(figure)}\n`);
  }
}
