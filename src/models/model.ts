/**
 * The one port to models: any OpenAI-compatible endpoint, Azure OpenAI, Ollama. The data of a question is
 * enclosed in markers that do not occur in it, because strangers wrote it. A model gets no tools.
 */
import type OpenAI from "openai";
import { type Clock, systemClock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { cappedFetch } from "../lib/http.ts";
import { loadDriver } from "../lib/load-driver.ts";

export interface ModelSettings {
  kind: "openai" | "azure";
  /** Base address of an OpenAI-compatible service, or the endpoint of an Azure resource. */
  baseUrl: string;
  apiKey: string;
  /** The model's name; for Azure the name of the deployment. */
  model: string;
  apiVersion?: string;
  timeoutMs?: number;
  /** For the limit of a model's silence. */
  clock?: Clock;
}

export interface Question {
  readonly instructions: string;
  /** Text from outside: data, never an instruction. */
  readonly data: string;
  /** Name of the answer's schema. */
  readonly name: string;
  readonly schema: Record<string, unknown>;
}

export interface ModelAnswer {
  /** What the model wrote, unchecked. */
  content: string;
  tokens: { prompt: number; completion: number };
}

export interface Model {
  readonly name: string;
  /** One answer as JSON of the question's schema; the caller checks it. */
  json(question: Question, signal?: AbortSignal): Promise<ModelAnswer>;
  /** Text as it is written. Stops when the signal is aborted. */
  stream(
    prompt: Pick<Question, "instructions" | "data">,
    onText: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<ModelAnswer>;
}

export const TIMEOUT_MS = 30_000;
/** No valid answer to our questions is longer. */
const ANSWER_LENGTH_MAX = 200_000;
/** With what surrounds each piece of a stream. */
const ANSWER_BYTES_MAX = 32 * 2 ** 20;
/** An answer that never ends is given up after this many times the timeout, however regularly its pieces arrive. */
const TIMEOUTS_MAX = 20;

export function openModel(settings: ModelSettings): Model {
  return {
    name: settings.model,
    json: (question, signal) => askForJson(settings, question, signal),
    stream: (prompt, onText, signal) => writeText(settings, prompt, onText, signal),
  };
}

export async function askForJson(
  settings: ModelSettings,
  { instructions, data, name, schema }: Question,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const client = await clientOf(settings);
  const patience = patienceOf(settings, signal);
  const completion = await client.chat.completions
    .create(
      {
        ...messagesFor(settings, instructions, data),
        response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
      },
      { signal: patience.signal },
    )
    .catch(refuse)
    .finally(patience.end);
  const [choice] = completion.choices ?? [];
  const content = choice?.message?.content ?? "";
  if (choice?.message?.refusal || choice?.finish_reason === "content_filter")
    throw new Fault("model.refused", "the model refused to answer");
  if (choice?.finish_reason === "length" || content.length > ANSWER_LENGTH_MAX)
    throw new Fault("model.bad-answer", "the model's answer is cut off or far too long");
  return { content, tokens: tokensOf(completion.usage) };
}

async function writeText(
  settings: ModelSettings,
  { instructions, data }: Pick<Question, "instructions" | "data">,
  onText: (text: string) => void,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const client = await clientOf(settings);
  const patience = patienceOf(settings, signal);
  const written: string[] = [];
  let length = 0;
  let usage: OpenAI.CompletionUsage | null | undefined;
  let ending: string | null = null;
  try {
    const parts = await client.chat.completions.create(
      {
        ...messagesFor(settings, instructions, data),
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal: patience.signal },
    );
    for await (const part of parts) {
      patience.renew();
      const [choice] = part.choices ?? [];
      usage = part.usage ?? usage;
      ending = choice?.finish_reason ?? ending;
      const text = choice?.delta?.content ?? "";
      if (text === "") continue;
      length += text.length;
      if (length > ANSWER_LENGTH_MAX)
        throw new Fault("model.bad-answer", "the model's answer is far too long");
      written.push(text);
      onText(text);
    }
  } catch (error) {
    signal?.throwIfAborted();
    return refuse(error);
  } finally {
    patience.end();
  }
  signal?.throwIfAborted();
  // An aborted stream ends like a complete one.
  if (patience.isOver)
    throw new Fault("model.unavailable", "the model fell silent or did not come to an end");
  if (ending === null || ending === "length")
    throw new Fault("model.bad-answer", "the model's answer is cut off");
  if (ending === "content_filter") throw new Fault("model.refused", "the model refused to answer");
  return { content: written.join(""), tokens: tokensOf(usage) };
}

/**
 * Ends a call that is silent for too long or does not end: the library's own limit covers only the time until the first
 * byte, and one retry needs as long again.
 */
export function patienceOf(
  { timeoutMs = TIMEOUT_MS, clock = systemClock }: ModelSettings,
  signal: AbortSignal | undefined,
) {
  const silent = new AbortController();
  const giveUp = () => silent.abort();
  const wait = () => clock.after(2 * timeoutMs, giveUp);
  const cancelAll = clock.after(TIMEOUTS_MAX * timeoutMs, giveUp);
  let cancel = wait();
  return {
    signal: signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal]),
    renew() {
      cancel();
      cancel = wait();
    },
    end() {
      cancel();
      cancelAll();
    },
    get isOver() {
      return silent.signal.aborted;
    },
  };
}

function messagesFor({ model }: ModelSettings, instructions: string, data: string) {
  const fence = fenceFor(data);
  return {
    model,
    temperature: 0,
    messages: [
      { role: "system" as const, content: instructions },
      { role: "user" as const, content: `${fence}\n${data}\n${fence}` },
    ],
  };
}

const tokensOf = (usage: OpenAI.CompletionUsage | null | undefined) => ({
  prompt: usage?.prompt_tokens ?? 0,
  completion: usage?.completion_tokens ?? 0,
});

function refuse(error: unknown): never {
  if (error instanceof Fault) throw error;
  throw new Fault("model.unavailable", "the model does not answer", { cause: error });
}

/** Call it at startup too: a missing package should stop the start, not the first question. */
export function loadModelLibrary(): Promise<typeof import("openai")> {
  return loadDriver("MODEL_BASE_URL", ["openai"], () => import("openai"));
}

export async function clientOf(settings: ModelSettings): Promise<OpenAI> {
  const { default: OpenAI, AzureOpenAI } = await loadModelLibrary();
  const { apiKey, baseUrl, timeoutMs = TIMEOUT_MS } = settings;
  // A redirect would send the text of a document to a host that nobody chose.
  const fetchOptions = { redirect: "error" as const };
  const limited = { fetchOptions, fetch: cappedFetch(ANSWER_BYTES_MAX) };
  const common = { apiKey, timeout: timeoutMs, maxRetries: 1, ...limited };
  if (settings.kind === "openai") return new OpenAI({ ...common, baseURL: baseUrl });
  return new AzureOpenAI({
    ...common,
    endpoint: baseUrl,
    apiVersion: settings.apiVersion ?? "2024-10-21",
    deployment: settings.model,
  });
}

/** A marker that does not occur in the data, so that no line of it can end the enclosed part. */
function fenceFor(data: string): string {
  let fence = "=====document=====";
  while (data.includes(fence)) fence = `=${fence}=`;
  return fence;
}
