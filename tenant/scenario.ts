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

type ScenarioStep = (run: Run, given: unknown) => Promise<string>;

const STEPS: Readonly<Record<string, ScenarioStep>> = {
  send,
  move: (run, given) => onMessage(run, "move", given),
  read: (run, given) => onMessage(run, "read", given),
  delete: (run, given) => onMessage(run, "delete", given),
  flag: (run, given) => onMessage(run, "flag", given),
  categorize: (run, given) => onMessage(run, "categorize", given),
  fault: async (run, given) => {
    const fault = await run.client.call<{ id: string }>("POST", "/faults", fields(given));
    return fault.id;
  },
  clear: async (run, given) => {
    await run.client.call("DELETE", given === "all" ? "/faults" : `/faults/${String(given)}`);
    return "";
  },
  unsubscribe: async (run, given) => {
    const { id, ...body } = typeof given === "string" ? { id: given } : fields(given);
    await run.client.call("POST", `/subscriptions/${String(id)}/remove`, body);
    return "";
  },
  lifecycle: async (run, given) => {
    const { id, ...body } = fields(given);
    await run.client.call("POST", `/subscriptions/${String(id)}/lifecycle`, body);
    return "";
  },
  switch: async (run, given) => {
    await run.client.call("PATCH", "/switches", fields(given));
    return "";
  },
  advance: async (run, given) => {
    const { now } = await run.client.call<{ now: string }>("POST", "/clock/advance", { by: given });
    return now;
  },
  wait: waitFor,
  expect: async (run, given) => expectEntries(await findEntries(run, given), fields(given)),
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
    const [name, given] = readStep(step, number);
    try {
      const result = await STEPS[name]!(run, given);
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
  const [name, given] = entries[0] ?? [];
  if (entries.length !== 1 || name === undefined || !Object.hasOwn(STEPS, name)) {
    throw new Error(`step ${number} must be one of: ${Object.keys(STEPS).join(", ")}, repeat`);
  }
  return [name, given];
}

async function send(run: Run, given: unknown): Promise<string> {
  const { attach, eml, ...mail } = fields(given);
  const files = attach === undefined ? [] : [attach].flat().map(String);
  const read = (name: string) => readFileSync(join(run.folder, name)).toString("base64");
  const sent = await run.client.call<{ id: string }>("POST", "/mail", {
    ...mail,
    attachments: files.map((name) => ({ name: basename(name), contentBytes: read(name) })),
    ...(typeof eml === "string" ? { eml: read(eml) } : {}),
  });
  return sent.id;
}

async function onMessage(run: Run, what: string, given: unknown): Promise<string> {
  const { message = "latest", ...body } = fields(given);
  const path = `/messages/${encodeURIComponent(String(message))}/${what}`;
  const answer = await run.client.call<{ id?: string } | null>("POST", path, body);
  return answer?.id ?? "";
}

/** This waits in real time, because the expected event happens in the product under test. */
async function waitFor(run: Run, given: unknown): Promise<string> {
  const wanted = fields(given);
  const withinMs = parseDurationMs((wanted["within"] as string | undefined) ?? "30s") ?? 30_000;
  const wantedCount = typeof wanted["count"] === "number" ? wanted["count"] : 1;
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await findEntries(run, given);
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
async function findEntries(run: Run, given: unknown): Promise<JournalEntry[]> {
  const { kind, where = {} } = fields(given);
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

function fields(given: unknown): Record<string, unknown> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    return given as Record<string, unknown>;
  }
  throw new Error("takes names and values, such as { to: …, subject: … }");
}
