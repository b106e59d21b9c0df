/** Every verb with everything that goes wrong: an exit code, one sentence for a person, JSON for a program. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Argument, type Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCli } from "../../src/cli/main.ts";
import type { Tenant } from "../../tenant/index.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { commandsFor, type Ran } from "../helpers/cli.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { expectWords } from "./expect-words.ts";
import { OWN } from "./own-verbs.ts";

const PROGRAM = resolve(import.meta.dirname, "../../bin/postroom.js");
const ID = "00000000-0000-4000-8000-000000000000";
const NINA = "nina.berg@ashdown.example";
const folder = mkdtempSync(join(tmpdir(), "postroom-table-"));
const csv = join(folder, "rows.csv");
const parts = join(folder, "parts.json");
writeFileSync(csv, "a,b\n1,2\n");
writeFileSync(parts, "[{},{}]");
const snapshot = join(folder, "snapshot.json");
writeFileSync(snapshot, "{}");
const scenario = join(folder, "scenario.yaml");
writeFileSync(scenario, "- clear: all\n");

let tenant: Tenant;
let app: TestApp;
let postroom: (typed: string | readonly string[], columns?: number) => Promise<Ran>;
/** Answers nothing and breaks the connection. */
let dying: Server;
let dyingHome: { home: string; port: number };

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, documentSettings(tenant));
  postroom = commandsFor(app);
  await watch(app, tenant, ["nina"]);
  dying = createServer((request) => request.socket.destroy());
  await new Promise<void>((done) => dying.listen(0, "127.0.0.1", done));
  const home = mkdtempSync(join(tmpdir(), "postroom-dying-"));
  const { port } = dying.address() as AddressInfo;
  writeFileSync(join(home, "operator-key"), "key");
  writeFileSync(join(home, "server.json"), JSON.stringify({ url: `http://127.0.0.1:${port}` }));
  writeFileSync(
    join(home, "tenant.json"),
    JSON.stringify({ admin: `http://127.0.0.1:${port}/admin` }),
  );
  dyingHome = { home, port };
});
afterAll(async () => {
  await new Promise((done) => dying.close(done));
  for (const path of [folder, dyingHome.home]) rmSync(path, { recursive: true });
});

/** A right call of every verb that talks to a server; `missing` names what does not exist. */
const VERBS: readonly { readonly call: string; readonly missing?: number }[] = [
  { call: "events list" },
  { call: "events tail" },
  { call: "mailbox list" },
  { call: "mailbox add nobody@ashdown.example", missing: 1 },
  { call: "mailbox connect nobody@ashdown.example --connection nowhere", missing: 1 },
  { call: "mailbox verify nobody@ashdown.example", missing: 1 },
  { call: "mailbox pause nobody@ashdown.example", missing: 1 },
  { call: "mailbox resume nobody@ashdown.example", missing: 1 },
  { call: "mailbox resync nobody@ashdown.example", missing: 1 },
  { call: "mailbox folders nobody@ashdown.example", missing: 1 },
  { call: `mailbox exclude ${NINA} Nowhere`, missing: 1 },
  { call: `mailbox include ${NINA} Nowhere`, missing: 1 },
  { call: `mailbox file ${NINA} Nowhere`, missing: 1 },
  { call: "mailbox filing nobody@ashdown.example", missing: 1 },
  { call: "mailbox remove nobody@ashdown.example", missing: 1 },
  { call: "sub list" },
  { call: "sub ensure --mailbox nobody@ashdown.example", missing: 1 },
  { call: "sub rotate --mailbox nobody@ashdown.example", missing: 1 },
  { call: "sub orphans" },
  { call: "audit --mailbox nobody@ashdown.example", missing: 1 },
  { call: "doctor" },
  { call: "trace nothing", missing: 1 },
  { call: "documents list" },
  { call: `documents show ${ID}`, missing: 1 },
  { call: `documents reviewed ${ID}`, missing: 1 },
  { call: `documents file ${csv}` },
  { call: "search rent" },
  { call: "usage" },
  { call: "ask rent" },
  { call: "trades list" },
  { call: "trades show nothing", missing: 1 },
  { call: "trades undo nothing --why test", missing: 1 },
  { call: "review list" },
  { call: "review next", missing: 1 },
  { call: "review show 999", missing: 1 },
  { call: "review assign 999 vera", missing: 1 },
  { call: "review accept 999", missing: 1 },
  { call: "review correct 999 price=1", missing: 1 },
  { call: "review reject 999 --why test", missing: 1 },
  { call: `review split 999 ${parts}`, missing: 1 },
  { call: "review link 999 --trade nothing", missing: 1 },
  { call: "review approve-sender 999", missing: 1 },
  { call: "review not-a-note 999 --why test", missing: 1 },
  { call: "review undo 999 --why test", missing: 1 },
  { call: `review give 999 --file ${parts}`, missing: 1 },
  { call: `review give 999 --password-file ${parts}`, missing: 1 },
  { call: "orders list" },
  { call: `orders import ${csv}`, missing: 2 },
  { call: "orders cancel nothing", missing: 1 },
  { call: "senders list" },
  { call: "senders approve desk@broker.example --dry-run" },
  { call: "senders revoke nobody@broker.example", missing: 1 },
  { call: "people list" },
  { call: `people import ${csv}`, missing: 2 },
  { call: "ingest status" },
  { call: "ingest mails" },
  { call: "ingest again nobody@ashdown.example nothing", missing: 1 },
  { call: "ingest backfill --mailbox nobody@ashdown.example --since 2026-01-01", missing: 1 },
  { call: "ingest foreign-lease other- 60" },
  { call: "ingest guard status" },
  { call: "ingest guard install --dry-run" },
  { call: "ingest guard remove --dry-run" },
  { call: "extract --drift" },
  { call: "extract --decided" },
  { call: `evidence export --trade nothing --to ${join(folder, "case")}`, missing: 1 },
  { call: "jobs list" },
  { call: `jobs show ${ID}`, missing: 1 },
  { call: `jobs cancel ${ID}`, missing: 1 },
  { call: "jobs workers" },
  { call: "dlq causes" },
  { call: "dlq list" },
  { call: `dlq explain ${ID}`, missing: 1 },
  { call: `dlq replay ${ID} --why test`, missing: 1 },
  { call: `dlq dismiss ${ID} --why test`, missing: 1 },
  { call: "dlq history" },
  { call: "sinks list" },
  { call: "sinks add archive --outbox --dry-run" },
  { call: "sinks remove nothing", missing: 1 },
  { call: "sinks test nothing", missing: 1 },
  { call: "hold list" },
  { call: "hold set nobody@ashdown.example --why test --dry-run" },
  { call: "hold release 999", missing: 1 },
  { call: "erase nobody@ashdown.example --dry-run" },
  { call: "tenant users" },
  { call: "tenant send --to nobody@ashdown.example --subject x", missing: 1 },
  { call: "tenant messages --mailbox nobody@ashdown.example", missing: 1 },
  { call: "tenant move latest --mailbox nobody@ashdown.example --folder archive", missing: 1 },
  { call: "tenant read latest --mailbox nobody@ashdown.example", missing: 1 },
  { call: "tenant delete latest --mailbox nobody@ashdown.example", missing: 1 },
  { call: "tenant unsubscribe nothing", missing: 1 },
  { call: "tenant lifecycle nothing missed", missing: 1 },
  { call: "tenant fault arm throttle --where path=/nowhere --times 1" },
  { call: "tenant clock advance 1s" },
  { call: `tenant snapshot save ${snapshot}` },
  { call: "tenant fill --documents 1" },
  { call: "tenant subscriptions" },
  { call: "tenant fault list" },
  { call: "tenant fault clear fault-99", missing: 1 },
  { call: "tenant clock show" },
  { call: "tenant journal" },
  { call: `tenant scenario run ${scenario}` },
  { call: `tenant snapshot load ${snapshot}` },
];
const CALLS = VERBS.map(({ call }) => call);
const ONCE = CALLS.filter((call) => call !== "events tail");
/** Adds where the tenant is, for the verbs that talk to it. */
const toWords = (call: string, admin: string): string[] => [
  ...call.split(" "),
  ...(call.startsWith("tenant ") ? ["--admin", admin] : []),
];
const here = (call: string) => toWords(call, tenant.addresses.admin);

describe.each(CALLS)("postroom %s", (call) => {
  it("without a server ends with 75 and says what to start", async () => {
    const nowhere = { home: join(folder, "nowhere"), port: 1 };
    const { code, err, out } = await commandsFor(nowhere)(call);
    expect({ code, out }).toEqual({ code: 75, out: "" });
    expect(err).toMatch(/no (server|tenant) is running/);
    expectWords(err);
  });

  it("with a server that stops meanwhile ends with 75 and says so", async () => {
    const { code, err } = await commandsFor(dyingHome)(call);
    expect(code).toBe(75);
    expect(err).toMatch(/stopped answering|no tenant answers/);
    expectWords(err.replace(/\(.*\)/, ""));
  });
});

describe.each(ONCE)("postroom %s, with a server", (call) => {
  it("prints JSON alone under --json, and a table that fits 60 columns", async () => {
    const json = await postroom([...here(call), "--json"]);
    for (const text of [json.out, json.err])
      for (const line of text.split("\n").filter(Boolean))
        expect(() => JSON.parse(line)).not.toThrow();
    const { out, err, code } = await postroom(here(call), 60);
    expect(code).toBe(json.code);
    if (code !== 0) expect(err).not.toBe("");
    expectWords(out + err);
    const isTable = /\b(list|mails|folders|causes|history|workers|orphans|usage)\b/.test(call);
    if (isTable && !call.startsWith("tenant"))
      for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });
});

/** One of each way to print: a table, lines of JSON, pages, a text, a value of the tenant, nothing but a refusal. */
const PIPED = process.env["POSTROOM_LONG"]
  ? ONCE
  : ["mailbox list", "events list --json", "doctor", "tenant journal", "trades show nothing"];

/** What a shell does for `| head -0`: nobody reads, from the beginning. */
async function runUnread(words: readonly string[]): Promise<{ code: number | null; err: string }> {
  const env = { ...process.env, POSTROOM_HOME: app.home, PORT: String(app.port) };
  const child = endWithUs(spawn(process.execPath, [PROGRAM, ...words], { env }));
  child.stdout!.destroy();
  let err = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, err };
}

async function countEvents(): Promise<number> {
  const { rows } = await app.database.query("SELECT count(*)::int AS n FROM postroom.event");
  return Number(rows[0]!["n"]);
}

describe("piped to a program that has read enough", () => {
  it.each(PIPED)("postroom %s ends without a word about it", async (call) => {
    const { code, out } = await postroom(here(call));
    const unread = await runUnread(here(call));
    expect(unread.code).toBe(out === "" ? code : 0);
    expectWords(unread.err);
    expect(unread.err).not.toMatch(/EPIPE|write/i);
  });

  it("postroom events tail ends at the next event", async () => {
    const ended = runUnread(["events", "tail"]);
    let isOver = false;
    void ended.finally(() => (isOver = true));
    // It begins with what happens after it has connected, so that one mail may come too early.
    for (let count = 1; !isOver; count++) {
      await tenant.graph.admin.sendMail({ to: NINA, from: "ada@x.example" });
      await until("its event or the end", async () => isOver || (await countEvents()) >= count);
    }
    expect(await ended).toEqual({ code: 0, err: "" });
  });
});

describe("what does not exist", () => {
  it.each(VERBS.filter(({ missing }) => missing !== undefined))(
    "postroom $call ends with $missing and a sentence",
    async ({ call, missing }) => {
      const { code, err, out } = await postroom(here(call));
      expect({ code, out }).toEqual({ code: missing, out: "" });
      expect(err).toMatch(/^postroom: .{10,}\n$/s);
      // Where to look, or what to set.
      if (!/^(review next|.* import )/.test(call))
        expect(err).toMatch(/postroom [a-z]+|check |set /);
      expectWords(err);
    },
  );
});

/** Verbs that need no server have their wrong usages here too. */
const WRONG: readonly [call: string, words: string, exitCode?: number][] = [
  ["events list --since foo", "Use a date such as 2026-01-31"],
  ["events list --limit many", "It must be a whole number greater than 0."],
  ["events list --type arrivd", "Allowed choices are arrived, deleted"],
  ["events tail --seen-by nobody", "Allowed choices are push, delta, poll, audit, import."],
  ["audit --since yesterday", "Use a date such as 2026-01-31"],
  ["documents list --state lost", "Allowed choices are pending"],
  ["documents list --limit 0", "It must be a whole number greater than 0."],
  [`documents file ${csv} --as a:b --dry-run`, 'SharePoint does not accept the name "a:b"'],
  [`documents file ${csv} --parent 5 --dry-run`, "such as sprk_matter:3f2a61b0-"],
  [`documents file ${csv} --parent sprk_matter:${ID} --dry-run`, "there is no sprk_matter"],
  [`documents file ${csv} --container b!${"x".repeat(64)} --dry-run`, "no such container", 1],
  ["documents file /nowhere/x.pdf", "/nowhere/x.pdf: there is no such file or folder", 1],
  ["search rent --mode deep", "Allowed choices are hybrid, text, vector."],
  ["search rent --limit many", "It must be a whole number from 1 to 50."],
  ["search rent --from monday", "Use a date such as 2026-01-31."],
  ["search rent --kind exe", "kind.0 must be one of pdf, docx"],
  ["search rent --as nobody", "--as works only with the local tenant", 1],
  ["usage --days 91", "It must be a whole number from 1 to 90."],
  ["trades list --status open", "Allowed choices are confirmed"],
  ["trades list --since foo", "Use a date such as 2026-01-31"],
  ["trades list --csv --json", "option '--csv' cannot be used with option '--json'"],
  ["trades undo x --why y --decision z", "It must be a whole number"],
  ["review list --status closed", "Allowed choices are open, decided, applied."],
  ["review show x", "there is no question x; postroom review list shows the open ones", 1],
  ["review show 1e0", "there is no question 1e0", 1],
  ["review correct 1 price=-1", "it must be a number above 0"],
  ["review correct 1 fees=-1", "it must be a number of 0 or more"],
  ["review correct 1 price=1 price=2", "price is given twice"],
  ["review correct 1 price", "price must have the form name=value"],
  ["review correct 1 price=abc", 'the trade cannot have price "abc"'],
  ["review link 1 --order x", "there is no order x; postroom orders list shows them", 1],
  ["hold release x@y.example", "there is no hold x@y.example; postroom hold list shows them", 1],
  ["review approve-sender 1 --until soon", "Use a date such as 2026-01-31."],
  [`review split 1 ${csv}`, "is not valid JSON"],
  ["review give 1", "use either --password-file or --file"],
  ["review give 1 --file /nowhere.pdf", "/nowhere.pdf: there is no such file or folder", 1],
  ["orders list --status done", "Allowed choices are open, executed, cancelled."],
  ["orders import /nowhere.csv", "/nowhere.csv: there is no such file or folder", 1],
  ["people import /nowhere.csv", "/nowhere.csv: there is no such file or folder", 1],
  ["senders approve everybody", "everybody"],
  ["senders approve a@b.example --until never", "Use a date such as 2026-01-31."],
  ["ingest mails --status done", "Allowed choices are processing, success, failed, skipped."],
  ["ingest backfill --mailbox x@y.example --since soon", "Use a date such as 2026-01-31"],
  ["ingest foreign-lease other- soon", "It must be a whole number from 1 to 2592000."],
  ["extract", "specify files, --corpus, --report, --decided or --drift"],
  ["evidence export --to x", "use either --message or --trade"],
  ["evidence verify /nowhere", "/nowhere", 1],
  ["jobs list --state Done", "Allowed choices are Queued, Running"],
  ["jobs list --queue nope", "Allowed choices are webhook-events"],
  ["jobs workers --hours many", "It must be a whole number from 1 to 744."],
  ["jobs show nothing", "there is", 1],
  ["dlq list --limit x", "It must be a whole number greater than 0."],
  ["dlq causes --queue nope", "Allowed choices are webhook-events"],
  ["dlq dismiss --queue nope --why y", "Allowed choices are webhook-events"],
  ["dlq replay x --why y", "x is not the ID of a dead letter"],
  ["dlq replay --all", "--why <text> is required"],
  ["mailbox add nobody", "address must be an address such as ada@broker.example"],
  [`mailbox add ${NINA} --owner nina`, "ownerId must be an ID such as 3f2a61b0-"],
  ["mailbox connect nobody", "address"],
  [`mailbox file ${NINA} Inbox --parent 5`, "such as sprk_matter:3f2a61b0-"],
  [`mailbox file ${NINA} Inbox --container 5`, "which begins with b!"],
  [`mailbox file ${NINA} Inbox --remove --parent x`, "cannot be used with option '--parent"],
  ["sub ensure --mailbox nobody@x.example --dry-run", "nobody@x.example is not watched", 1],
  [
    "hold set nobody@ashdown.example --why x --kind mail",
    "Allowed choices are person, trade, note.",
  ],
  ["hold set nobody --why x", "nobody is not the address of a person"],
  ["hold set x@y.example --why x --kind trade", "there is no trade x@y.example", 1],
  [`hold set ${ID} --why x --kind note`, `there is no note ${ID}`, 1],
  ["erase nobody", "address"],
  ["restore /nowhere", "/nowhere", 1],
  ["import msedb-events /nowhere --mailboxes /nowhere", "/nowhere", 1],
  ["import msedb-links /nowhere --mailboxes /nowhere", "/nowhere", 1],
  ["connect app --token-file /nowhere", "/nowhere", 1],
  ["connect dataverse --url https://x.example --app-id x --token-file /nowhere", "/nowhere", 1],
  ["import msedb-events x", "required option '--mailboxes <file>' not specified"],
  ["sinks add all", "use one of --webhook, --event-hubs-file and --outbox"],
  ["sinks add all --outbox --webhook https://x.example", "use one of --webhook"],
  ["sinks add all --webhook http://x.example", "the URL must be https", 1],
  ["sinks add all --webhook https://10.0.0.1/", "is not a public address", 1],
  ["sinks add All --outbox", "must consist of lower-case letters"],
  ["sinks add all --event-hubs-file /nowhere", "/nowhere: there is no such file or folder", 1],
  ["up extra", "too many arguments"],
  ["init --dry-run", "there is no terminal to ask for them: tenant ID"],
  ["migrate", "set DATABASE_URL"],
  ["deploy manifests", "set ARCHIVE_STORE"],
  ["deploy manifests --name Post_Room", "Use at most 40 lower-case letters"],
  ["deploy manifests --secret Post_Room", "Use a name such as postroom.example"],
  ["deploy manifests --host https://x.example/", "Use a name such as postroom.example"],
  [`deploy chart ${csv}`, "is not a folder", 1],
  ["notify test", "set NOTIFY_MAIL_TO"],
  ["create-graph-subscription", "missing settings: GRAPH_TENANT_ID"],
  ["open review extra", "too many arguments"],
  ["connect containers --tenant-id x", "required option '--"],
  ["completion nope", "Allowed choices are bash, zsh, fish."],
  [`backup ${folder}`, "already exists"],
  ["jobs create-queues", "set ServiceBus__ConnectionString"],
  ["import ingestion-table /nowhere", "/nowhere", 1],
  ["import spaarke-jobs /nowhere", "/nowhere", 1],
  ["import spaarke-documents /nowhere", "/nowhere", 1],
  ["serve --role boss", "unknown role: boss (use intake, api, worker)"],
  ["tenant --port http", "--port must be a number from 0 to 65535, not http"],
  ["tenant --drip banana", "--drip takes a time such as 20s, not banana"],
  ["tenant fault arm throtle", "'throtle' is no kind of fault"],
  ["tenant fault arm throttle --times x", "--times must be a number, not x"],
  ["tenant nonsense", "unknown command 'nonsense'"],
  ["tenant users --admin nonsense", "--admin takes a URL such as"],
  ["tenant send --to x --auth maybe", "Allowed choices are pass, fail, none."],
  [`tenant messages --mailbox ${NINA} --folder Nowhere`, "has no folder Nowhere", 1],
  ["tenant fault arm slow --option delayMs=soon", "'delayMs' must be a number of at least 0"],
  ["tenant clock advance soon", "'by' must be a time such as 90s, 45m or 3d."],
  ["tenant journal --after x", "--after takes the number of an entry, not x"],
  ["tenant scenario run /nowhere.yaml", "/nowhere.yaml: there is no such file or folder", 1],
  ["tenant snapshot load /nowhere.json", "/nowhere.json: there is no such file or folder", 1],
  ["tenant lifecycle all nonsense", "reauthorizationRequired"],
  ["tenant unsubscribe nothing", "nothing", 1],
];

describe("a value of the wrong type", () => {
  it.each(WRONG)("postroom %s is refused", async (call, words, exitCode = 2) => {
    const isWhole = /^tenant (-|nonsense|.*--admin)/.test(call);
    const { code, err } = await postroom(isWhole ? call.split(" ") : here(call));
    expect({ code, err }).toMatchObject({ code: exitCode, err: expect.stringContaining(words) });
    expectWords(err);
  });
});

it("whoever wrote from an address with an umlaut can be erased", async () => {
  expect(await postroom("erase Jörg@müller.example --dry-run")).toEqual({
    ...{ code: 0, err: "", out: "jörg@müller.example: nothing would be erased\n" },
  });
});

describe("a server without documents", () => {
  it("says what must be set up", async () => {
    const bare = commandsFor(await anApp(null));
    for (const call of ["documents list", "search rent", "ask rent", "usage"])
      expect(await bare(call)).toEqual({
        ...{ code: 1, out: "" },
        err: expect.stringContaining("documents and search must be set up (docs/documents.md)"),
      });
  });
});

describe("a folder in place of a file", () => {
  it.each([
    "documents file",
    "orders import",
    "people import",
    "review split 1",
    "review give 1 --file",
    "review give 1 --password-file",
    "sinks add x --event-hubs-file",
    "extract --corpus",
    "extract --report",
    "connect app --token-file",
    "connect dataverse --url https://x.example --app-id x --token-file",
    "tenant send --to x --attach",
    "tenant send --to x --eml",
    "tenant snapshot load",
    "tenant scenario run",
  ])("postroom %s is refused and named", async (call) => {
    const { code, err } = await postroom(here(`${call} ${folder}`));
    expect({ code, err }).toEqual({
      code: 1,
      err: `postroom: ${folder}: it is a folder, not a file\n`,
    });
  });
});

/** Every verb of the program, and a call that says as little as possible. */
const TREE = verbsOf(buildCli()).map(({ path, command }) => {
  const args = command.registeredArguments.filter((each) => each.required);
  const options = command.options.filter((each) => each.mandatory);
  return { path, command, args, options };
});
type Verb = (typeof TREE)[number];

function valueFor(each: Argument | Option): string {
  if (each instanceof Option && each.long === "--since") return "2026-01-31";
  return each.argChoices?.[0] ?? (each.parseArg === undefined ? "x" : "1");
}

/** `changed` replaces the value of one argument or option. */
function wordsFor({ path, args, options }: Verb, changed?: Argument | Option): string[] {
  const others = options.filter((each) => each !== changed);
  return [
    ...path.split(" "),
    ...args.map((each) => (each === changed ? " " : valueFor(each))),
    ...others.flatMap((each) => [each.long!, valueFor(each)]),
    ...(changed instanceof Option ? [changed.long!, ""] : []),
  ];
}

describe.each(TREE)("postroom $path", (verb) => {
  it("refuses an unknown option with 2, also as JSON", async () => {
    const call = wordsFor(verb);
    const plain = await postroom([...call, "--nonsense"]);
    expect(plain).toMatchObject({ code: 2, out: "" });
    expect(plain.err).toContain("unknown option '--nonsense'");
    expect(plain.err).toContain(" --help lists what it takes)");
    const json = await postroom([...call, "--json", "--nonsense"]);
    expect(JSON.parse(json.err).error).toMatchObject({ exitCode: 2, code: "usage" });
  });

  it("refuses an empty argument and names it, because it would name nothing or everything", async () => {
    if (verb.path === "tenant send") return; // mail may have no subject and no text
    const takesText = (each: Argument | Option) =>
      each.parseArg === undefined && each.argChoices === undefined;
    const options = verb.command.options.filter((each) => each.required || each.optional);
    for (const each of [...verb.args, ...options].filter(takesText)) {
      const { code, err } = await postroom(wordsFor(verb, each));
      const name = each instanceof Option ? each.long! : `<${each.name()}>`;
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`${name} must not be empty`),
      });
    }
  });

  it("has a help that fits 60 columns and shows an example", async () => {
    const { code, out } = await postroom([...verb.path.split(" "), "--help"], 60);
    expect(code).toBe(0);
    const described = out.slice(0, out.indexOf("\nOptions:")).split("\n").slice(1);
    for (const line of described) expect(line.length).toBeLessThanOrEqual(60);
    expect(out).toMatch(/Examples?:\n +(\S+=\S+ )*postroom /);
  });
});

describe("the list of verbs in this table", () => {
  it("has every verb of the program once, here or among those without a server", () => {
    const isOf = (verb: string) => (call: string) => `${call} `.startsWith(`${verb} `);
    const own = OWN.map(({ verb }) => verb);
    const paths = TREE.map(({ path }) => path);
    expect(paths.filter((verb) => CALLS.some(isOf(verb)) === own.includes(verb))).toEqual([]);
    expect(own.filter((verb) => !paths.includes(verb))).toEqual([]);
    expect(CALLS.filter((call) => !paths.some((verb) => isOf(verb)(call)))).toEqual([]);
  });

  it("has a wrong usage for each verb that takes a value with a form", () => {
    const wrong = WRONG.map(([call]) => call);
    const takesForm = ({ args, command }: Verb) =>
      [...args, ...command.options].some(
        (each) => each.parseArg !== undefined || each.argChoices !== undefined,
      );
    const missing = TREE.filter(takesForm).filter(
      ({ path }) => !wrong.some((call) => `${call} `.startsWith(`${path} `)),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it("knows which verbs have no --json, because they print no data", () => {
    const without = TREE.filter(
      ({ command }) => !command.options.some(({ long }) => long === "--json"),
    );
    const known = OWN.filter(({ hasJson }) => hasJson === false);
    expect(without.map(({ path }) => path).sort()).toEqual(known.map(({ verb }) => verb).sort());
  });
});

function verbsOf(
  command: Command,
  path: readonly string[] = [],
): { path: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const name = [...path, child.name()];
    return child.commands.length > 0
      ? verbsOf(child, name)
      : [{ path: name.join(" "), command: child }];
  });
}
