import type { Config } from "../config.ts";
import type { ModelSettings } from "../models/model.ts";

/** Null if no model is configured. */
export function modelSettings(config: Config): ModelSettings | null {
  if (config.model === null) return null;
  const { baseUrl, apiKey, name, isAzure, apiVersion, timeoutMs } = config.model;
  return {
    kind: isAzure ? "azure" : "openai",
    baseUrl,
    model: name,
    timeoutMs,
    apiKey: apiKey.reveal(),
    ...(apiVersion !== null && { apiVersion }),
  };
}
