import { Fault } from "../lib/fault.ts";

/**
 * Translates the errors of all cloud SDKs. A refused credential or a missing bucket is reported with its
 * status and retried like an outage, so that archiving continues as soon as somebody has fixed it.
 */
export function toBlobFault(store: string, action: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const status = statusOf(error);
  return new Fault("blob.unavailable", `${store}: could not ${action}`, {
    cause: error,
    facts: { store, action, status, reason: reasonOf(error) },
  });
}

/** The HTTP status in an error of any of the three SDKs; null if there was no response. */
export function statusOf(error: unknown): number | null {
  const shape = error as {
    code?: unknown;
    statusCode?: unknown;
    $metadata?: { httpStatusCode?: unknown };
  } | null;
  for (const value of [shape?.statusCode, shape?.$metadata?.httpStatusCode, shape?.code]) {
    if (typeof value === "number") return value;
  }
  return null;
}

function reasonOf(error: unknown): string {
  const shape = error as { code?: unknown; name?: unknown } | null;
  if (typeof shape?.code === "string") return shape.code;
  return typeof shape?.name === "string" ? shape.name : "unknown";
}

/**
 * Returns null for a missing object. A missing bucket also returns 404; a reader cannot tell the difference.
 */
export async function orAbsent<T>(
  store: string,
  action: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw toBlobFault(store, action, error);
  }
}
