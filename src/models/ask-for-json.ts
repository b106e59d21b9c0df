/**
 * Asks a model behind an OpenAI-compatible endpoint one question and gets JSON of a given schema. The data is
 * enclosed in markers that do not occur in it, because strangers wrote it.
 */
import type OpenAI from "openai";
import { Fault } from "../lib/fault.ts";
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

const TIMEOUT_MS = 30_000;

export async function askForJson(
  settings: ModelSettings,
  { instructions, data, name, schema }: Question,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const fence = fenceFor(data);
  const client = await clientOf(settings);
  const completion = await client.chat.completions
    .create(
      {
        model: settings.model,
        temperature: 0,
        messages: [
          { role: "system", content: instructions },
          { role: "user", content: `${fence}\n${data}\n${fence}` },
        ],
        response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
      },
      signal ? { signal } : {},
    )
    .catch((error: unknown) => {
      throw new Fault("model.unavailable", "the model does not answer", { cause: error });
    });
  const { usage } = completion;
  return {
    content: completion.choices?.[0]?.message?.content ?? "",
    tokens: { prompt: usage?.prompt_tokens ?? 0, completion: usage?.completion_tokens ?? 0 },
  };
}

/** Call it at startup too: a missing package should stop the start, not the first question. */
export function loadModelLibrary(): Promise<typeof import("openai")> {
  return loadDriver("MODEL_BASE_URL", ["openai"], () => import("openai"));
}

async function clientOf(settings: ModelSettings): Promise<OpenAI> {
  const { default: OpenAI, AzureOpenAI } = await loadModelLibrary();
  const { apiKey, baseUrl, timeoutMs = TIMEOUT_MS } = settings;
  const common = { apiKey, timeout: timeoutMs, maxRetries: 1 };
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
