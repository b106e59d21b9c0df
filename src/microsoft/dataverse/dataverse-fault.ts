import type { FaultCode } from "../../lib/fault.ts";
import type { HttpAnswer } from "../../lib/http.ts";
import { ApiError } from "../transport/api-error.ts";

/** Another row has the same alternate key. */
export const DUPLICATE_KEY = "0x80060892";

/** Dataverse refused a call. Its message names columns and rights, never content, so it can be shown. */
export class DataverseError extends ApiError {
  /** Dataverse's own code in hex; often empty. */
  readonly dataverseCode: string;

  constructor(path: string, answer: HttpAnswer, askedForMs?: number) {
    const { code, message } = errorOf(answer);
    super(
      faultCodeOf(answer.status),
      `Dataverse answered ${answer.status} ${code} to ${path}: ${message}`,
      answer,
      {
        ...(askedForMs === undefined ? {} : { retryAfterMs: askedForMs }),
        facts: { status: answer.status, dataverseCode: code, path },
      },
    );
    this.name = "DataverseError";
    this.dataverseCode = code;
  }
}

function faultCodeOf(status: number): FaultCode {
  if (status === 429) return "dataverse.throttled";
  if (status === 401 || status === 403) return "dataverse.denied";
  if (status === 404) return "dataverse.not-found";
  if (status === 412) return "dataverse.conflict";
  if (status >= 500 || status === 408) return "dataverse.unavailable";
  return "dataverse.rejected";
}

const TEXT_MAX = 400;

function errorOf({ body }: HttpAnswer): { code: string; message: string } {
  try {
    const { error } = JSON.parse(body.toString("utf8")) as {
      error?: { code?: string; message?: string };
    };
    // The part after the arrow says what is wrong.
    const message = error?.message?.split("---->").at(-1)?.trim() ?? "";
    return { code: error?.code ?? "", message: message.slice(0, TEXT_MAX) };
  } catch {
    return { code: "", message: "no JSON" }; // an HTML page from a proxy
  }
}
