import { Agent, request } from "undici";
import type { FinishedResponse } from "../dispatch.ts";
import { createTenantRequest, type TenantRequest } from "../http.ts";

/** Calls the admin API of a tenant, over the network or in-process. */
export interface AdminClient {
  call<T>(method: string, path: string, body?: object | string): Promise<T>;
}

/** The tenant's refusal in its own words. */
class AdminCallError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `address` is the `admin` address a tenant prints, e.g. `http://127.0.0.1:4010/admin`. */
export function createAdminClient(address: string): AdminClient {
  const base = address.replace(/\/+$/, "");
  // The tenant's certificate is of its own making, and it only listens on this machine.
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
        throw new Error(`no tenant answers at ${base} (${(error as Error).message})`);
      });
      return readAnswer<T>(answer.statusCode, await answer.body.text());
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

function readAnswer<T>(status: number, text: string): T {
  const value: unknown = text === "" ? null : JSON.parse(text);
  if (status < 400) return value as T;
  const error = (value as { error?: { message?: string } } | null)?.error;
  throw new AdminCallError(status, error?.message ?? `the tenant answered ${status}`);
}
