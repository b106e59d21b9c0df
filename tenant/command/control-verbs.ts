import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import type { Filled } from "../content/library/fill-library.ts";
import type { ArmedFault } from "../faults.ts";
import type { JournalEntry } from "../journal.ts";
import {
  type CommonOptions,
  connect,
  print,
  readGivenFile,
  verb,
  withCommonOptions,
  wrongUsage,
} from "./connection.ts";
import { FAULT_KINDS } from "./fault-kinds.ts";
import { followJournal } from "./follow-journal.ts";

/** `users`, `fill`, `fault`, `clock`, `journal` and `snapshot`. */
export function addControlVerbs(tenant: Command): void {
  withCommonOptions(tenant.command("users"))
    .description("list the users")
    .addHelpText("after", "\nExample:\n  postroom tenant users --json")
    .action(verb(listUsers));
  withCommonOptions(tenant.command("fill"))
    .description("file sample documents with different readers")
    .option("--documents <number>", "how many to file (default: all 430)")
    .addHelpText("after", "\nExample:\n  postroom tenant fill --documents 50")
    .action(verb(fillLibrary));
  addFaultVerbs(tenant.command("fault").description("arm, list and clear faults"));
  addClockVerbs(tenant.command("clock").description("show or advance the tenant's clock"));
  withCommonOptions(tenant.command("journal"))
    .description("print the journal: what happened in the tenant, oldest first")
    .option("--follow", "keep printing new entries as they happen")
    .option(
      "--kind <kind>",
      "only kinds that start with this, for example message or fault.injected",
    )
    .option("--after <sequence>", "only entries after this number", "0")
    .addHelpText(
      "after",
      "\nExample:\n  postroom tenant journal --kind notification --follow --json",
    )
    .action(verb(printJournal));
  addSnapshotVerbs(tenant.command("snapshot").description("save or load the whole state"));
}

async function listUsers(options: CommonOptions): Promise<void> {
  const { value } = await connect(options).call<{ value: Record<string, unknown>[] }>(
    "GET",
    "/users",
  );
  for (const user of value) {
    const mark = user["hasMailbox"] ? "" : "  (no mailbox)";
    print(options, user, `${user["id"]}  ${user["userPrincipalName"]}${mark}`);
  }
}

async function fillLibrary(options: CommonOptions & { documents?: string }): Promise<void> {
  const documents =
    options.documents === undefined
      ? {}
      : { documents: toNumber("--documents", options.documents) };
  const filled = await connect(options).call<Filled>("POST", "/library", documents);
  const { filed, documents: all, matters } = filled;
  print(options, filled, `filed ${filed} documents; there are now ${all} in ${matters} matters`);
}

interface ArmOptions extends CommonOptions {
  readonly where?: string[];
  readonly option?: string[];
  readonly times?: string;
  readonly probability: string;
}

function addFaultVerbs(fault: Command): void {
  withCommonOptions(fault.command("arm"))
    .description("arm a fault: make requests or notifications fail")
    .argument("<kind>", "one of the kinds below")
    .option(
      "--where <fact=value...>",
      "only for matching requests: part=graph, method=GET, path=/v1.0/users*, mailbox=…",
    )
    .option("--times <number>", "number of times to fire (default: unlimited)")
    .option("--probability <number>", "chance that it fires on a match, drawn from the seed", "1")
    .option(
      "--option <name=value...>",
      "options of the kind: retryAfterSeconds=5, status=502, delayMs=4000",
    )
    .addHelpText(
      "after",
      `\nKinds:\n${FAULT_KINDS}\n\nExample:\n  postroom tenant fault arm throttle --where part=graph --times 5 --option retryAfterSeconds=2`,
    )
    .action(verb(armFault));
  withCommonOptions(fault.command("list"))
    .description("list the armed faults")
    .addHelpText("after", "\nExample:\n  postroom tenant fault list")
    .action(
      verb(async (options: CommonOptions) => {
        const { value } = await connect(options).call<{ value: ArmedFault[] }>("GET", "/faults");
        for (const each of value) print(options, each, inWords(each));
      }),
    );
  withCommonOptions(fault.command("clear"))
    .description("disarm one fault, or all")
    .argument("[id]", "ID as listed (default: all)")
    .addHelpText("after", "\nExample:\n  postroom tenant fault clear fault-1")
    .action(
      verb(async (id: string | undefined, options: CommonOptions) => {
        await connect(options).call("DELETE", id === undefined ? "/faults" : `/faults/${id}`);
        print(options, { cleared: id ?? "all" }, `cleared ${id ?? "all"}`);
      }),
    );
}

async function armFault(kind: string, options: ArmOptions): Promise<void> {
  const fault = await connect(options).call<ArmedFault>("POST", "/faults", {
    kind,
    where: readPairs(options.where),
    options: readPairs(options.option),
    probability: toNumber("--probability", options.probability),
    ...(options.times === undefined ? {} : { times: toNumber("--times", options.times) }),
  });
  print(options, fault, `armed ${inWords(fault)}`);
}

function toNumber(name: string, text: string): number {
  if (text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  throw wrongUsage(`${name} must be a number, not ${text}`);
}

function inWords(fault: ArmedFault): string {
  const where = Object.entries(fault.where).map(([name, value]) => `${name}=${value}`);
  const left = fault.remaining === null ? "unlimited" : `${fault.remaining} times left`;
  return `${fault.id}  ${fault.kind}  ${where.join(" ") || "everywhere"}  ${left}`;
}

/** `name=value` pairs; numbers, true, false and null are converted. */
function readPairs(pairs: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw wrongUsage(`'${pair}' should look like name=value`);
      return [pair.slice(0, equals), readValue(pair.slice(equals + 1))];
    }),
  );
}

function readValue(text: string): unknown {
  return /^(-?\d+(\.\d+)?|true|false|null)$/.test(text) ? (JSON.parse(text) as unknown) : text;
}

interface ClockState {
  readonly now: string;
  readonly isVirtual: boolean;
}

function addClockVerbs(clock: Command): void {
  const show = (options: CommonOptions, state: ClockState) =>
    print(options, state, `${state.now} (${state.isVirtual ? "virtual" : "real time"})`);
  withCommonOptions(clock.command("show"))
    .description("show the tenant's time")
    .addHelpText("after", "\nExample:\n  postroom tenant clock show")
    .action(
      verb(async (options: CommonOptions) =>
        show(options, await connect(options).call("GET", "/clock")),
      ),
    );
  withCommonOptions(clock.command("advance"))
    .description("advance a virtual clock; everything that falls due in that time happens")
    .argument("<time>", "duration, for example 90s, 45m or 3d")
    .addHelpText("after", "\nExample:\n  postroom tenant clock advance 3d")
    .action(
      verb(async (by: string, options: CommonOptions) =>
        show(options, await connect(options).call("POST", "/clock/advance", { by })),
      ),
    );
}

interface JournalOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly kind?: string;
  readonly after: string;
}

async function printJournal(options: JournalOptions): Promise<void> {
  const show = (entry: JournalEntry) => {
    const { sequence, at, kind, ...facts } = entry;
    print(
      options,
      entry,
      `${String(sequence).padStart(6)}  ${at}  ${kind}  ${JSON.stringify(facts)}`,
    );
  };
  if (!/^\d+$/.test(options.after))
    throw wrongUsage(`--after takes the number of an entry, not ${options.after}`);
  const wanted = { after: Number(options.after), kind: options.kind ?? null };
  await followJournal(connect(options), wanted, show, options.follow === true);
}

function addSnapshotVerbs(snapshot: Command): void {
  withCommonOptions(snapshot.command("save"))
    .description("save the whole state to a file")
    .argument("<file>")
    .addHelpText("after", "\nExample:\n  postroom tenant snapshot save monday.json")
    .action(
      verb(async (file: string, options: CommonOptions) => {
        const state = await connect(options).call<object>("GET", "/snapshot");
        writeFileSync(file, JSON.stringify(state));
        print(options, { saved: file }, `saved to ${file}`);
      }),
    );
  withCommonOptions(snapshot.command("load"))
    .description("restore the state from a file")
    .argument("<file>")
    .addHelpText("after", "\nExample:\n  postroom tenant snapshot load monday.json")
    .action(
      verb(async (file: string, options: CommonOptions) => {
        await connect(options).call("POST", "/snapshot", readGivenFile(file).toString("utf8"));
        print(options, { loaded: file }, `loaded ${file}`);
      }),
    );
}
