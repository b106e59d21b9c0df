import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import type { AdminClient } from "./admin/admin-client.ts";
import { parseDurationMs } from "./durations.ts";
import type { JournalEntry } from "./journal.ts";

/**
 * A scenario is a YAML list of steps, each an object with one key that says what to do. Steps run in order
 * over the admin API, so the same file works against a tenant in this process or in another.
 */
export interface ScenarioOptions {
  /** The folder with the files that steps attach. */
  readonly folder?: string;
  onStep?(step: ScenarioStepReport): void;
}

interface ScenarioStepReport {
  readonly number: number;
  readonly what: string;
  readonly result: string;
}

interface Run {
  readonly client: AdminClient;
  readonly folder: string;
  /** Journal entries up to here existed before the scenario began. */
  readonly startedAfter: number;
}

type ScenarioStep = (run: Run, argument: unknown) => Promise<string>;

const STEPS: Readonly<Record<string, ScenarioStep>> = {
  send,
  move: (run, argument) => onMessage(run, "move", argument),
  read: (run, argument) => onMessage(run, "read", argument),
  delete: (run, argument) => onMessage(run, "delete", argument),
  flag: (run, argument) => onMessage(run, "flag", argument),
  categorize: (run, argument) => onMessage(run, "categorize", argument),
  fault: async (run, argument) => {
    const fault = await run.client.call<{ id: string }>("POST", "/faults", fields(argument));
    return fault.id;
  },
  clear: async (run, argument) => {
    await run.client.call("DELETE", argument === "all" ? "/faults" : `/faults/${String(argument)}`);
    return "";
  },
  unsubscribe: async (run, argument) => {
    const { id, ...body } = typeof argument === "string" ? { id: argument } : fields(argument);
    await run.client.call("POST", `/subscriptions/${String(id)}/remove`, body);
    return "";
  },
  lifecycle: async (run, argument) => {
    const { id, ...body } = fields(argument);
    await run.client.call("POST", `/subscriptions/${String(id)}/lifecycle`, body);
    return "";
  },
  switch: async (run, argument) => {
    await run.client.call("PATCH", "/switches", fields(argument));
    return "";
  },
  advance: async (run, argument) => {
    const { now } = await run.client.call<{ now: string }>("POST", "/clock/advance", {
      by: argument,
    });
    return now;
  },
  wait: waitFor,
  expect: async (run, argument) =>
    expectEntries(await findEntries(run, argument), fields(argument)),
};

export async function runScenario(
  client: AdminClient,
  yaml: string,
  options: ScenarioOptions = {},
): Promise<void> {
  const steps: unknown = parse(yaml);
  if (!Array.isArray(steps)) throw new Error("a scenario is a YAML list of steps");
  const run = {
    client,
    folder: options.folder ?? ".",
    startedAfter: (await readJournal(client, 0)).at(-1)?.sequence ?? 0,
  };
  let number = 0;
  for (const step of unroll(steps)) {
    number += 1;
    const [name, argument] = readStep(step, number);
    try {
      const result = await STEPS[name]!(run, argument);
      options.onStep?.({ number, what: name, result });
    } catch (error) {
      throw new Error(`step ${number} (${name}): ${(error as Error).message}`, { cause: error });
    }
  }
}

/** `repeat: { times, steps }` is expanded before anything runs. */
function unroll(steps: readonly unknown[]): unknown[] {
  return steps.flatMap((step) => {
    if (typeof step !== "object" || step === null || !("repeat" in step)) return [step];
    const { times, steps: inner } = step.repeat as { times: number; steps: unknown[] };
    if (!Number.isInteger(times) || !Array.isArray(inner)) {
      throw new Error("repeat takes { times: NUMBER, steps: [ … ] }");
    }
    return Array.from({ length: times }, () => unroll(inner)).flat();
  });
}

function readStep(step: unknown, number: number): [string, unknown] {
  const entries = typeof step === "object" && step !== null ? Object.entries(step) : [];
  const [name, argument] = entries[0] ?? [];
  if (entries.length !== 1 || name === undefined || !Object.hasOwn(STEPS, name)) {
    throw new Error(`step ${number} must be one of: ${Object.keys(STEPS).join(", ")}, repeat`);
  }
  return [name, argument];
}

async function send(run: Run, argument: unknown): Promise<string> {
  const { attach, eml, ...mail } = fields(argument);
  const files = attach === undefined ? [] : [attach].flat().map(String);
  const read = (name: string) => readFileSync(join(run.folder, name)).toString("base64");
  const sent = await run.client.call<{ id: string }>("POST", "/mail", {
    ...mail,
    attachments: files.map((name) => ({ name: basename(name), contentBytes: read(name) })),
    ...(typeof eml === "string" ? { eml: read(eml) } : {}),
  });
  return sent.id;
}

async function onMessage(run: Run, what: string, argument: unknown): Promise<string> {
  const { message = "latest", ...body } = fields(argument);
  const path = `/messages/${encodeURIComponent(String(message))}/${what}`;
  const answer = await run.client.call<{ id?: string } | null>("POST", path, body);
  return answer?.id ?? "";
}

/** This waits in real time, because the expected event happens in the product under test. */
async function waitFor(run: Run, argument: unknown): Promise<string> {
  const wanted = fields(argument);
  const withinMs = parseDurationMs((wanted["within"] as string | undefined) ?? "30s") ?? 30_000;
  const wantedCount = typeof wanted["count"] === "number" ? wanted["count"] : 1;
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await findEntries(run, argument);
    if (found.length >= wantedCount) return `${found.length} found`;
    if (performance.now() > deadline) {
      throw new Error(
        `${found.length} of ${wantedCount} ${String(wanted["kind"])} within ${withinMs} ms`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function expectEntries(found: readonly JournalEntry[], wanted: Record<string, unknown>): string {
  const { count, atLeast } = wanted;
  const right = count === undefined ? found.length >= Number(atLeast ?? 1) : found.length === count;
  if (right) return `${found.length} found`;
  throw new Error(
    `expected ${count ?? `at least ${atLeast ?? 1}`} ${String(wanted["kind"])}, found ${found.length}`,
  );
}

/** Entries since the scenario began whose kind matches and that contain every fact of `where`. */
async function findEntries(run: Run, argument: unknown): Promise<JournalEntry[]> {
  const { kind, where = {} } = fields(argument);
  const entries = await readJournal(run.client, run.startedAfter);
  return entries.filter(
    (entry) =>
      entry.kind === kind &&
      Object.entries(where as object).every(([name, value]) => entry[name] === value),
  );
}

async function readJournal(client: AdminClient, after: number): Promise<JournalEntry[]> {
  const all: JournalEntry[] = [];
  for (;;) {
    const from = all.at(-1)?.sequence ?? after;
    const { value } = await client.call<{ value: JournalEntry[] }>("GET", `/journal?after=${from}`);
    if (value.length === 0) return all;
    all.push(...value);
  }
}

function fields(argument: unknown): Record<string, unknown> {
  if (typeof argument === "object" && argument !== null && !Array.isArray(argument)) {
    return argument as Record<string, unknown>;
  }
  throw new Error("takes names and values, such as { to: …, subject: … }");
}
