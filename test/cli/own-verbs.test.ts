/** The verbs that talk to no server of ours: what they call instead may be absent or break off. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandsFor, type Ran } from "../helpers/cli.ts";
import { emptyDatabaseUrl } from "../helpers/database.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { expectWords } from "./expect-words.ts";
import { OWN, type OwnVerb } from "./own-verbs.ts";

const PROGRAM = resolve(import.meta.dirname, "../../bin/postroom.js");
const folder = mkdtempSync(join(tmpdir(), "postroom-own-"));
const home = join(folder, "home");
const made = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
mkdirSync(home);
mkdirSync(join(folder, "backup"));
writeFileSync(join(home, "operator-key"), "key");
const FILES: Readonly<Record<string, string>> = {
  FILE: made("secret", "a-secret-of-this-test"),
  ROWS: made("rows.jsonl", '{"_id":{"$oid":"a1"},"email":"a@b.example"}\n'),
  REDIS: made("redis.json", '{"delta:a1:inbox":"https://graph.microsoft.com/v1.0/delta"}'),
  BACKUP: join(folder, "backup"),
};
made("backup/manifest.json", "{}");

/** Takes connections and breaks them off as soon as somebody speaks. */
let dying: Server;
let count = 0;
beforeAll(async () => {
  dying = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.destroy());
  });
  await new Promise<void>((done) => dying.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  await new Promise((done) => dying.close(done));
  rmSync(folder, { recursive: true });
});

/** Each call with `NEW` names another file. */
function toWords(call: string): string[] {
  count += 1;
  return call
    .split(" ")
    .map((word) => (word === "NEW" ? join(folder, `new-${count}`) : (FILES[word] ?? word)));
}

async function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return commandsFor({ home, port: 1 })(words); // it removes what is stubbed
}

type Calling = OwnVerb & Required<Pick<OwnVerb, "call" | "calls">>;
const CALLING = OWN.filter((each): each is Calling => each.calls !== undefined);
const ALONE = OWN.filter((each) => each.call !== undefined && each.calls === undefined);

describe.each(CALLING)("postroom $verb", ({ call, calls, hasJson }) => {
  const callAt = (port: number, ...more: string[]): Promise<Ran> => {
    const { words = "", settings = {} } = calls.at(port);
    return run([...toWords(call), ...words.split(" ").filter(Boolean), ...more], settings);
  };
  const where = [
    ["nobody listens", () => 1],
    ["whoever listens breaks off", () => (dying.address() as AddressInfo).port],
  ] as const;

  it.each(where)("where %s ends with 75 and says what to look at", async (_, port) => {
    const { code, out, err } = await callAt(port());
    expect({ code, out, err }).toEqual({
      ...{ code: 75, out: "" },
      err: expect.stringMatching(calls.named),
    });
    expectWords(err);
    expect(err).not.toContain("secret");
    if (hasJson === false) return;
    const json = await callAt(port(), "--json");
    expect(json).toMatchObject({ code: 75, out: "" });
    expect(JSON.parse(json.err)).toMatchObject({ error: { exitCode: 75 } });
  });
});

describe.each(ALONE)("postroom $verb", ({ call, hasJson }) => {
  it("works without anything running, and prints JSON alone under --json", async () => {
    const plain = await run(toWords(call!));
    expect(plain).toMatchObject({ code: 0 });
    expectWords(plain.out + plain.err);
    if (hasJson === false) return;
    const json = await run([...toWords(call!), "--json"]);
    const lines = json.out.split("\n").filter(Boolean);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  it("ends without a word if nobody reads what it prints", async () => {
    const env = { ...process.env, POSTROOM_HOME: home };
    const child = endWithUs(spawn(process.execPath, [PROGRAM, ...toWords(call!)], { env }));
    child.stdout!.destroy();
    let err = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (err += text));
    const code = await new Promise<number | null>((done) => child.once("close", done));
    expect(code).toBe(0);
    expect(err).not.toMatch(/EPIPE|\n\s+at /);
  });
});

describe("postroom open", () => {
  it("without a server ends with 75 and says what to start", async () => {
    const nowhere = commandsFor({ home: join(folder, "nowhere"), port: 1 });
    expect(await nowhere("open review --print")).toMatchObject({
      ...{ code: 75, out: "" },
      err: expect.stringContaining("no server is running"),
    });
  });
});

describe("a verb that works on the database itself", () => {
  it.each(["backup NEW", "import ingestion-table ROWS", "import spaarke-jobs ROWS"])(
    "postroom %s is refused where there is no database, and makes none",
    async (call) => {
      const { code, err } = await run(toWords(call));
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringMatching(/there is no database in .*set DATABASE_URL, or POSTROOM_HOME/),
      });
      expect(existsSync(join(home, "postgres"))).toBe(false);
    },
  );

  it.each(["backup NEW", "import ingestion-table ROWS"])(
    "postroom %s is refused on a database that Postroom never used",
    async (call) => {
      const url = await emptyDatabaseUrl();
      expect(await run(toWords(call), { DATABASE_URL: url })).toMatchObject({
        ...{ code: 2, out: "" },
        err: expect.stringContaining("this database is not Postroom's"),
      });
    },
  );

  it("a backup that failed leaves nothing behind, so that the same command can be repeated", async () => {
    const words = toWords("backup NEW");
    const url = await emptyDatabaseUrl();
    for (let times = 0; times < 2; times += 1)
      expect(await run(words, { DATABASE_URL: url })).toMatchObject({
        err: expect.not.stringContaining("already exists"),
      });
    expect(existsSync(words[1]!)).toBe(false);
  });

  it("says which part of DATABASE_URL is wrong", async () => {
    const url = new URL(await emptyDatabaseUrl());
    url.pathname = "/no_such_database";
    expect(await run(["migrate"], { DATABASE_URL: url.href })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/DATABASE_URL: PostgreSQL at .* has no database no_such_database/),
    });
    url.username = "nobody_at_all";
    const refused = await run(["migrate"], { DATABASE_URL: url.href });
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /DATABASE_URL: PostgreSQL at .* refuses the connection: .*nobody_at_all/,
      ),
    });
  });
});
