/** What a newcomer does: start it, look, send a mail, stop it, start it again. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { answerOf, createClient } from "../../src/client/index.ts";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const run = promisify(execFile);
const PROGRAM = resolve(import.meta.dirname, "../../bin/postroom.js");
let home: string;
let environment: NodeJS.ProcessEnv;
let port: number;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "postroom-up-"));
  await chmod(home, 0o711); // so that its database lies below it also for root
  port = await freePort();
  environment = {
    PATH: process.env["PATH"],
    TMPDIR: tmpdir(),
    PORT: String(port),
    POSTROOM_HOME: home,
  };
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function cli(...args: string[]): Promise<string> {
  return (await run(process.execPath, [PROGRAM, ...args], { env: environment })).stdout;
}

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, "up", "--quiet", "--no-sample-mail"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  endWithUs(child);
  // A test that fails half-way leaves nothing running either.
  onTestFinished(async () => {
    if (child.exitCode === null) await stop(child);
  });
  await until(
    "Healthy",
    async () =>
      (await fetch(`http://127.0.0.1:${port}/healthz`)
        .then((answer) => answer.text())
        .catch(() => "")) === "Healthy",
    180_000,
  );
  return child;
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  child.kill("SIGINT");
  return ended;
}

async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await run("ps", ["-eo", "args"]);
  return stdout.split("\n").filter((line) => line.includes(folder));
}

/** For waits: the client asks the server a hundred times while the command line starts once. */
async function client() {
  const token = (await readFile(join(home, "operator-key"), "utf8")).trim();
  return createClient({ url: `http://127.0.0.1:${port}`, token });
}
const countQuestions = async () =>
  (await answerOf((await client()).GET("/api/reviews"))).reviews.length;

const events = () => jsonOf("events", "list", "--json", "--all");
const questions = () => jsonOf("review", "list", "--json");

async function jsonOf(...args: string[]): Promise<Record<string, unknown>[]> {
  return (await cli(...args))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("postroom up", () => {
  it("shows events and a confirmed trade, leaves no process behind, goes on with the same data, and does not live on without its tenant [OPS-01] [SUB-34] [ING-16]", {
    timeout: 900_000,
  }, async () => {
    const first = await start();
    await until(
      "the first events",
      async () => (await answerOf((await client()).GET("/api/events"))).events.length > 0,
      180_000,
    );

    // A fresh installation has nothing to complain about: the command would end with 1.
    await cli("doctor");

    const note = await makeNote({ seed: "walk", kind: "buy", language: "en" });
    const file = join(home, "note.pdf");
    await writeFile(file, note.pdf);
    await cli(
      "tenant",
      "send",
      "--to",
      "operations@ashdown.example",
      "--from",
      "nina.berg@ashdown.example",
      "--subject",
      "A contract note",
      "--attach",
      file,
    );
    await until(
      "the trade",
      async () => Object(await answerOf((await client()).GET("/api/trades"))).trades.length > 0,
      180_000,
    );
    const trade = JSON.parse((await cli("trades", "list", "--json")).split("\n")[0]!);
    expect(trade).toMatchObject({
      status: "confirmed",
      direction: "BUY",
      isin: note.truth.trades[0]!.isin,
    });
    expect(trade.documents[0].archivePath).toMatch(
      /^archive\/sender_email=nina%2Eberg%40ashdown%2Eexample\//,
    );

    const arrived = (await events()).find((event) => event["subject"] === "A contract note");
    expect(arrived).toMatchObject({
      eventType: "arrived",
      mailbox: "operations@ashdown.example",
      folderName: "Inbox",
    });
    for (const field of [
      "messageId",
      "mailbox",
      "eventType",
      "timestamp",
      "subject",
      "sender",
      "folderId",
      "folderName",
      "seenBy",
    ])
      expect(arrived).toHaveProperty(field);
    const trace = await cli("trace", String(arrived!["messageId"]));
    expect(trace).toMatch(/notification[\s\S]*event[\s\S]*ingest-mail/);
    expect(trace.match(/(?<=ingestion +)\d \w+/g)).toEqual(
      "0 id,1 check,2 claim,3 fetch,4 process,5 archive,6 mark".split(","),
    );
    expect(trace).toMatch(/decision +confirm .*trade=nina/);
    expect(await cli("trace", trade.tradeKey)).toBe(trace);
    const markedMs = Number(/\+ *([\d.]+) s +ingestion +6 mark/.exec(trace)![1]) * 1_000;
    console.log(`the first note was a trade ${Math.round(markedMs)} ms after its notification`);
    if (process.env["POSTROOM_LONG"] === "1") expect(markedMs).toBeLessThan(10_000);

    // Nobody approved the first sender, and nobody vouches for the second mail: they are asked about, not booked.
    const other = await makeNote({ seed: "other", kind: "buy", language: "en" });
    const otherFile = join(home, "other.pdf");
    await writeFile(otherFile, other.pdf);
    for (const [from, auth, attached] of [
      ["mallory@evil.example", [], otherFile],
      ["nina.berg@ashdown.example", ["--auth", "fail"], file],
    ] as const) {
      const asked = await countQuestions();
      const to = ["--to", "operations@ashdown.example", "--from", from, ...auth];
      await cli("tenant", "send", ...to, "--attach", attached);
      await until("the question", async () => (await countQuestions()) > asked, 180_000);
    }
    expect(await questions()).toMatchObject([
      { reasons: expect.arrayContaining(["sender not approved: mallory@evil.example"]) },
      { reasons: expect.arrayContaining([expect.stringMatching(/^sender not authenticated/)]) },
    ]);
    expect((await cli("trades", "list", "--json")).split("\n").filter(Boolean)).toHaveLength(1);

    const evidence = join(home, "evidence");
    await cli("evidence", "export", "--trade", trade.tradeKey, "--to", evidence);
    await cli("evidence", "verify", evidence);

    const filed = JSON.parse(await cli("documents", "file", file, "--json"));
    expect(filed).toMatchObject({ state: "recorded", path: "documents/note.pdf" });
    expect(await cli("documents", "file", file, "--dry-run")).toContain("would file");
    const shown = JSON.parse(await cli("documents", "show", filed.id, "--json"));
    expect(shown.record).toMatchObject({ sprk_graphitemid: filed.itemId });
    expect(await cli("documents", "list")).toContain(filed.id);

    const before = await events();
    expect(await stop(first)).toBe(0);
    await until("every process to end", async () => (await processesOf(home)).length === 0);

    const second = await start();
    const after = await events();
    expect(after.slice(0, before.length)).toEqual(before);

    let said = "";
    second.stderr!.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = new Promise((done) => second.once("exit", done));
    const tenant = JSON.parse(await readFile(join(home, "tenant.json"), "utf8"));
    process.kill(tenant.pid, "SIGKILL");
    expect(await ended).toBe(1);
    expect(said).toContain("the local tenant ended (SIGKILL), so everything was stopped");
    await until("every process to end", async () => (await processesOf(home)).length === 0);
  });

  it("says in one line that its port is in use", async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(port, "127.0.0.1", done));
    const failed = await run(process.execPath, [PROGRAM, "up"], { env: environment }).catch(
      (error: { stderr: string; code: number }) => error,
    );
    await new Promise((done) => other.close(done));
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr.trim().split("\n")).toHaveLength(1);
    expect(failed.stderr).toContain(`port ${port} is in use`);
  });
});

describe("the command line", () => {
  it("says what to do if no server is running, with the exit code for trying later", async () => {
    const failed = await run(process.execPath, [PROGRAM, "events", "list"], {
      env: { ...environment, POSTROOM_HOME: join(home, "nowhere") },
    }).catch((error: { stderr: string; code: number }) => error);
    expect(failed).toMatchObject({ code: 75 });
    expect(failed.stderr).toContain("npm start");
  });

  it("answers a wrong verb with its usage and exit code 2", async () => {
    const failed = await run(process.execPath, [PROGRAM, "evnts"], { env: environment }).catch(
      (error: { stderr: string; code: number }) => error,
    );
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stderr).toContain("Did you mean events?");
  });

  it("ended by SIGTERM while it starts, by kill -9 or by two signals, it leaves nothing that stops the next start", {
    timeout: 900_000,
  }, async () => {
    const own = await mkdtemp(join(tmpdir(), "postroom-cut-"));
    await chmod(own, 0o711);
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    const env = { ...environment, POSTROOM_HOME: own, PORT: String(await freePort()) };
    const up = () =>
      endWithUs(
        spawn(process.execPath, [PROGRAM, "up", "--quiet", "--no-sample-mail"], {
          env,
          stdio: ["ignore", "ignore", "inherit"],
        }),
      );
    const ended = (child: ChildProcess) => new Promise((done) => child.once("exit", done));
    const others = async () => (await processesOf(own)).length;

    const first = up();
    const firstEnded = ended(first);
    await until(
      "its database is being made",
      async () => existsSync(join(own, "postgres.json")),
      180_000,
    );
    first.kill("SIGTERM");
    expect(await firstEnded).toBe(0);
    await until("every process to end", async () => (await others()) === 0);

    const second = up();
    const secondEnded = ended(second);
    await until("it runs", async () => existsSync(join(own, "server.json")), 180_000);
    second.kill("SIGKILL");
    await secondEnded;
    await rm(join(own, "server.json"));
    const third = up();
    const thirdEnded = ended(third);
    await until("it runs again", async () => existsSync(join(own, "server.json")), 180_000);
    // Two equal signals at once count as one.
    third.kill("SIGINT");
    third.kill("SIGTERM");
    expect([130, 143]).toContain(await thirdEnded);
    await until("every process to end", async () => (await others()) === 0);
  });
});
