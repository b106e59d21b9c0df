import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Command } from "commander";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { tenantCommand } from "./cli.ts";
import { FAULT_KINDS } from "./command/fault-kinds.ts";
import type { ReadyLine } from "./command/run.ts";
import { FAULTS } from "./fault-table.ts";

const home = mkdtempSync(join(tmpdir(), "tenant-cli-"));
const main = join(home, "main.mts");
const cliUrl = new URL("./cli.ts", import.meta.url).href;
let running: ChildProcess;
let ready: ReadyLine;
let lines: string[];

beforeAll(async () => {
  writeFileSync(
    main,
    `import { tenantCommand } from "${cliUrl}";\nawait tenantCommand().parseAsync();\n`,
  );
  ({ running, ready, lines } = await start());
  vi.stubEnv("POSTROOM_HOME", home);
});
afterAll(() => {
  running.kill("SIGKILL");
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Starts `postroom tenant` as a separate process and waits for its one line. */
async function start() {
  const child = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      main,
      "--json",
      "--virtual-clock",
      "--company",
      "none",
      "--state",
      join(home, "state.json"),
    ],
    { env: { ...process.env, POSTROOM_HOME: home }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const printed: string[] = [];
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (text) => {
      printed.push(text);
      resolve(text);
    });
  });
  return { running: child, ready: JSON.parse(line) as ReadyLine, lines: printed };
}

/** Runs a verb in this process and gives back what it prints. */
async function run(...args: string[]): Promise<string> {
  let printed = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await new Command("postroom")
      .addCommand(tenantCommand())
      .parseAsync(["node", "postroom", "tenant", ...args]);
  } finally {
    write.mockRestore();
  }
  return printed;
}

it("one JSON line contains every address when the tenant is ready", () => {
  expect(ready.graph).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(ready.admin).toBe(`${ready.graph}/admin`);
  expect(ready.serviceBus).toContain("Endpoint=sb://");
  expect(ready.tenantId).toMatch(/^[0-9a-f-]{36}$/);
  expect(ready.clientSecret).not.toBe("");
  expect(ready.users.length).toBeGreaterThan(4);
  expect(ready.ca).toBeNull();
  expect(lines).toHaveLength(1);
});

it("mail is sent, listed, moved, read and deleted from the command line", async () => {
  const mailbox = ready.users[0]!.userPrincipalName;
  const sent = JSON.parse(
    await run("send", "--to", mailbox, "--subject", "Hello", "--attach", main, "--json"),
  );
  expect(sent).toMatchObject({ subject: "Hello", folder: "inbox", attachments: ["main.mts"] });
  expect(JSON.parse(await run("read", "latest", "--mailbox", mailbox, "--json")).isRead).toBe(true);
  expect(
    JSON.parse(await run("move", sent.id, "--mailbox", mailbox, "--folder", "archive", "--json"))
      .folder,
  ).toBe("archive");
  expect(await run("messages", "--mailbox", mailbox)).toContain("Hello");
  expect(JSON.parse(await run("delete", "latest", "--mailbox", mailbox, "--json")).folder).toBe(
    "deleteditems",
  );
  const kinds = (await run("journal", "--kind", "message", "--json"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toEqual(["message.created", "message.updated", "message.moved", "message.moved"]);
});

it("a whole message can come from an .eml file, including attached mail", async () => {
  const eml = join(home, "forwarded.eml");
  const inner =
    "From: a@broker.example\r\nSubject: Inner\r\nContent-Type: text/plain\r\n\r\nInside\r\n";
  writeFileSync(
    eml,
    `From: Ella <ella@client.example>\r\nTo: ops@x.example\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee below\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${inner}--b--\r\n`,
  );
  const sent = JSON.parse(await run("send", "--to", ready.users[1]!.id, "--eml", eml, "--json"));
  expect(sent).toMatchObject({ subject: "Grüße", attachments: ["Inner"] });
});

it("a sender's verdict and headers can be forged from the command line", async () => {
  const mailbox = ready.users[0]!.userPrincipalName;
  const forged = "Authentication-Results: spf=pass; dmarc=pass;compauth=pass reason=100";
  const sent = JSON.parse(
    await run(
      ...["send", "--to", mailbox, "--from", "desk@broker.example", "--auth", "fail"],
      ...["--header", forged, "--json"],
    ),
  );
  const token = await fetch(`${ready.entra}/${ready.tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: ready.clientId,
      client_secret: ready.clientSecret,
      scope: "https://graph.microsoft.com/.default",
    }),
  }).then((answer) => answer.json() as Promise<{ access_token: string }>);
  const read = await fetch(
    `${ready.graph}/v1.0/users/${mailbox}/messages/${sent.id}?$select=internetMessageHeaders`,
    { headers: { authorization: `Bearer ${token.access_token}` } },
  );
  const { internetMessageHeaders } = (await read.json()) as {
    internetMessageHeaders: { name: string; value: string }[];
  };
  const results = internetMessageHeaders.filter(({ name }) => name === "Authentication-Results");
  expect(results.map(({ value }) => /compauth=\S+/.exec(value)?.[0])).toEqual([
    "compauth=fail",
    "compauth=pass",
  ]);
});

it("faults can be armed, listed and cleared, and the clock can skip three days", async () => {
  const fault = JSON.parse(
    await run(
      "fault",
      "arm",
      "throttle",
      "--where",
      "part=graph",
      "--times",
      "2",
      "--option",
      "retryAfterSeconds=3",
      "--json",
    ),
  );
  expect(fault).toMatchObject({
    kind: "throttle",
    where: { part: "graph" },
    remaining: 2,
    options: { retryAfterSeconds: 3 },
  });
  expect(await run("fault", "list")).toContain("throttle");
  await run("fault", "clear");
  expect(await run("fault", "list")).toBe("");
  const before = JSON.parse(await run("clock", "show", "--json")).now as string;
  const after = JSON.parse(await run("clock", "advance", "3d", "--json")).now as string;
  expect(Date.parse(after) - Date.parse(before)).toBe(3 * 86_400_000);
});

it("a scenario stops at the first step that fails and says which", async () => {
  const path = join(home, "scenario.yaml");
  const mailbox = ready.users[2]!.userPrincipalName;
  writeFileSync(
    path,
    `- send: { to: ${mailbox}, subject: One }\n- expect: { kind: message.created, count: 2 }\n`,
  );
  await expect(run("scenario", "run", path)).rejects.toThrow(
    "step 2 (expect): expected 2 message.created, found 1",
  );
});

it.each([
  [["--drip", "banana"], "--drip takes a time such as 20s, not banana"],
  [["--port", "http"], "--port must be a number from 0 to 65535, not http"],
  [["--virtual-clock", "noon"], "--virtual-clock takes an ISO time such as"],
])("a wrong option ends the tenant with exit code 2 before it starts: %s", async (args, words) => {
  await expect(run("--json", ...args)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(words),
  });
});

it.each([
  [["throtle"], "'throtle' is no kind of fault; known are throttle, "],
  [
    ["throttle", "--where", "prt=graph"],
    "'prt' is no fact of throttle; known are part, method, path, mailbox.",
  ],
  [["throttle", "--where", "part=grph"], "'grph' is no part; known are graph, entra, "],
  [
    ["throttle", "--option", "retryAfter=2"],
    "'retryAfter' is no option of throttle; known are retryAfterSeconds.",
  ],
])("a misspelt fault is refused with what is known: %s", async (args, words) => {
  await expect(run("fault", "arm", ...args)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(words),
  });
  expect(await run("fault", "list")).toBe("");
});

it("the help and the page name every kind of fault", () => {
  const page = readFileSync(new URL("../docs/tenant.md", import.meta.url), "utf8");
  const table = page.split("## Faults")[1]!.split("## Switches")[0]!;
  for (const kind of Object.keys(FAULTS)) {
    expect(FAULT_KINDS).toContain(kind);
    expect(table).toContain(`\`${kind}\``);
  }
});

it("the state is kept on disk over a clean stop", async () => {
  const mailbox = ready.users[3]!.userPrincipalName;
  await run("send", "--to", mailbox, "--subject", "Kept");
  const ended = new Promise((resolve) => running.once("exit", resolve));
  running.kill("SIGTERM");
  expect(await ended).toBe(0);
  ({ running, ready, lines } = await start());
  expect(await run("messages", "--mailbox", mailbox)).toContain("Kept");
});

it("large contents are stored once beside the state and restored with it", async () => {
  const [first, second] = ready.users.map((user) => user.userPrincipalName) as [string, string];
  const large = join(home, "large.bin");
  const bytes = Buffer.alloc(3_000_000, "large ");
  writeFileSync(large, bytes);
  for (const to of [first, second])
    await run("send", "--to", to, "--subject", "Large", "--attach", large);
  const ended = new Promise((resolve) => running.once("exit", resolve));
  running.kill("SIGTERM");
  await ended;
  const files = join(home, "state.json.files");
  const name = createHash("sha256").update(bytes).digest("hex");
  expect(readdirSync(files)).toContain(name);
  expect(statSync(join(home, "state.json")).size).toBeLessThan(bytes.length);

  writeFileSync(join(files, "0".repeat(64)), "nobody's");
  ({ running, ready, lines } = await start());
  expect(readdirSync(files)).not.toContain("0".repeat(64));
  const { access_token } = (await (
    await fetch(`${ready.entra}/${ready.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: ready.clientId,
        client_secret: ready.clientSecret,
        scope: "https://graph.microsoft.com/.default",
      }),
    })
  ).json()) as { access_token: string };
  const get = async (path: string) =>
    fetch(`${ready.graph}/v1.0/users/${second}/messages${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
  const listed = (await (await get("?$filter=subject eq 'Large'&$expand=attachments")).json()) as {
    value: { attachments: { contentBytes: string }[] }[];
  };
  const [attachment] = listed.value[0]!.attachments;
  expect(Buffer.from(attachment!.contentBytes, "base64").equals(bytes)).toBe(true);
});
