import { Agent, request } from "undici";
import type { FinishedResponse } from "../dispatch.ts";
import { createTenantRequest, type TenantRequest } from "../http.ts";

/** Calls the admin API of a tenant, over the network or in-process. */
export interface AdminClient {
  call<T>(method: string, path: string, body?: object | string): Promise<T>;
}

/** A refusal by the tenant, with its own message. */
export class AdminCallError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `address` is the `admin` address a tenant prints, e.g. `http://127.0.0.1:4010/admin`. */
export function createAdminClient(address: string): AdminClient {
  const base = address.replace(/\/+$/, "");
  // The tenant signs its own certificate, and it listens only on this machine.
  const agent = new Agent({ connect: { rejectUnauthorized: false }, keepAliveTimeout: 1000 });
  return {
    async call<T>(method: string, path: string, body?: object | string) {
      const sent = typeof body === "object" ? JSON.stringify(body) : body;
      const answer = await request(`${base}${path}`, {
        method: method as "GET",
        headers: sent === undefined ? {} : { "content-type": "application/json" },
        body: sent ?? null,
        dispatcher: agent,
      }).catch((error: unknown) => {
        throw silence(base, error);
      });
      const text = await answer.body.text().catch((error: unknown) => {
        throw silence(base, error);
      });
      return readAnswer<T>(answer.statusCode, text);
    },
  };
}

export function createLocalAdminClient(tenant: {
  handle(request: TenantRequest): Promise<FinishedResponse>;
}): AdminClient {
  return {
    async call<T>(method: string, path: string, body?: object | string) {
      const sent = typeof body === "object" ? JSON.stringify(body) : (body ?? "");
      const answer = await tenant.handle(
        createTenantRequest({ method, target: `/admin${path}`, body: sent }),
      );
      return readAnswer<T>(answer.status, answer.body.toString("utf8"));
    },
  };
}

const TOO_LARGE = "the tenant takes at most 160 MiB at once; files grow by a third on their way";

function silence(base: string, error: unknown): AdminCallError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === "ECONNREFUSED" ? "" : ` (${message})`;
  return new AdminCallError(0, `no tenant answers at ${base}${why}`);
}

function readAnswer<T>(status: number, text: string): T {
  const answer: unknown = text === "" ? null : JSON.parse(text);
  if (status < 400) return answer as T;
  if (status === 413) throw new AdminCallError(413, TOO_LARGE);
  const error = (answer as { error?: { message?: string } } | null)?.error;
  throw new AdminCallError(status, error?.message ?? `the tenant answered ${status}`);
}
