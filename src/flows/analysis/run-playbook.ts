/**
 * One run of a playbook over a text: by a model or, without one, by the built-in extract. What it wrote is stored while
 * it writes, ends in a state that says how far it came, and counts as completed only if its figures occur in the text.
 */
import {
  type AnalysisEnd,
  endAnalysis,
  findFinished,
  keepRunning,
  type Run,
} from "../../analysis/analysis-table.ts";
import type { PersonalModel } from "../../analysis/budgeted-model.ts";
import {
  describeProfile,
  extractProfile,
  type Profile,
  WITHOUT_MODEL,
} from "../../analysis/extractive-profile.ts";
import { strayFigure } from "../../analysis/figures.ts";
import { createPlainText } from "../../analysis/plain-text.ts";
import type { Playbook } from "../../analysis/playbook.ts";
import { PROFILE_SCHEMA, readProfile } from "../../analysis/profile.ts";
import { every, systemClock } from "../../lib/clock.ts";
import { Fault, toFault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { ModelAnswer } from "../../models/model.ts";
import type { Database } from "../../store/database.ts";
import type { SourceText } from "./read-source.ts";

export interface RunNeeds {
  readonly database: Database;
  readonly model: PersonalModel | null;
}

export interface PlaybookRun {
  readonly run: Run;
  readonly key: string;
  /** Whose budget it counts against. */
  readonly personId: string;
  readonly playbook: Playbook;
  readonly source: SourceText;
  readonly send: (text: string) => void;
}

export interface Finished {
  readonly tokens: ModelAnswer["tokens"];
  readonly result: Profile | null;
  /** False if the result is complete but could not be stored. */
  readonly isStored: boolean;
}

/** Often enough for others to see that the run is alive. */
const HEARTBEAT_MS = 20_000;
const NO_TOKENS = { prompt: 0, completion: 0 };

export const authorOf = (model: PersonalModel | null): string => model?.name ?? "extractive";

export async function runPlaybook(
  needs: RunNeeds,
  playbookRun: PlaybookRun,
  signal: AbortSignal,
): Promise<Finished> {
  const { database } = needs;
  const lost = new AbortController();
  const within = AbortSignal.any([signal, lost.signal]);
  let content = "";
  const send = (text: string) => {
    content += text;
    if (text !== "") playbookRun.send(text);
  };
  const stopSigns = every(
    systemClock,
    HEARTBEAT_MS,
    async () => {
      if (!(await keepRunning(database, playbookRun.run, content)))
        lost.abort(new Fault("job.lease-lost", "another run has taken over this analysis"));
    },
    () => {}, // A missed heartbeat is not a reason to stop: the end decides.
  );
  const end = (state: AnalysisEnd["state"], more: Partial<AnalysisEnd> = {}) =>
    endAnalysis(database, playbookRun.run, {
      state,
      content,
      author: authorOf(needs.model),
      error: null,
      result: null,
      promptTokens: 0,
      completionTokens: 0,
      ...more,
    });
  try {
    const { tokens, result } = await produce(needs, playbookRun, send, within);
    await killPoint("profile.answered");
    const isStored = await end("completed", {
      result,
      promptTokens: tokens.prompt,
      completionTokens: tokens.completion,
    }).catch(() => false);
    return { tokens, result, isStored };
  } catch (error) {
    const { code } = toFault(within.aborted ? within.reason : error);
    const state = endStateOf(code, within.aborted);
    await end(state, { error: code === "unexpected" && within.aborted ? null : code });
    throw within.aborted ? within.reason : error;
  } finally {
    await stopSigns();
  }
}

function endStateOf(code: string, isAborted: boolean): AnalysisEnd["state"] {
  if (isAborted) return "cancelled";
  return code.startsWith("model.") ? "degraded" : "failed";
}

async function produce(
  needs: RunNeeds,
  { key, personId, playbook, source, run }: PlaybookRun,
  send: (text: string) => void,
  signal: AbortSignal,
): Promise<Pick<Finished, "tokens" | "result">> {
  const { model } = needs;
  const earlier = await findFinished(needs.database, key, authorOf(model));
  if (earlier !== null && earlier.id !== run.id) {
    send(earlier.content);
    return { tokens: NO_TOKENS, result: earlier.result as Profile | null };
  }
  if (source.isCut) send("(Only the beginning of this long document was read.)\n\n");
  if (model === null) {
    const result = extractProfile(source.text);
    send(`${describeProfile(result, playbook.extract)}\n\n${WITHOUT_MODEL}`);
    return { tokens: NO_TOKENS, result };
  }
  const prompt = { instructions: playbook.instructions, data: source.text };
  if (playbook.output === "text") {
    const tokens = await writeText(model, personId, prompt, source.text, send, signal);
    return { tokens, result: null };
  }
  const question = { ...prompt, name: "profile", schema: PROFILE_SCHEMA };
  const { content, tokens } = await model.ask(personId, question, signal);
  const result = readProfile(content, source.text);
  send(describeProfile(result, playbook.extract));
  return { tokens, result };
}

/** Streams what the model writes as plain text; throws if a figure of it stands nowhere in the source. */
export async function writeText(
  model: PersonalModel,
  personId: string,
  prompt: { readonly instructions: string; readonly data: string },
  source: string,
  send: (text: string) => void,
  signal: AbortSignal,
): Promise<ModelAnswer["tokens"]> {
  const plain = createPlainText();
  const { content, tokens } = await model.write(
    personId,
    prompt,
    (text) => send(plain.add(text)),
    signal,
  );
  send(plain.end());
  if (content.trim() === "") throw new Fault("model.bad-answer", "the model wrote nothing");
  if (strayFigure(content, [source]) !== null)
    throw new Fault(
      "model.bad-answer",
      "the model wrote a figure that does not occur in the document",
    );
  return tokens;
}
