/** Requests and responses as the tenant's parts see them, and the router that finds the part. */
export interface TenantRequest {
  readonly method: string;
  readonly url: URL;
  /** The raw path, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Filled by the router from `{name}` segments, percent-decoded. */
  readonly params: Record<string, string>;
  readonly body: Buffer;
}

export interface TenantResponse {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: Buffer | string | object | null;
  /** A network fault between the tenant and the caller; an in-process caller must act it out. */
  wire?: WireFault;
}

export interface WireFault {
  /** Delays the response by this much on the tenant's clock. */
  delayMs?: number;
  /** No response at all: the connection stays open until the caller gives up. */
  hang?: boolean;
  /** The connection is reset instead of a response. */
  reset?: boolean;
  /** The connection ends after this many bytes of the body, although `Content-Length` promised all. */
  cutAfterBytes?: number;
}

/** A request to the tenant; the URL and its query are parsed only when they are read. */
export function createTenantRequest(given: {
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Buffer | string;
}): TenantRequest {
  const questionMark = given.target.indexOf("?");
  const path = questionMark < 0 ? given.target : given.target.slice(0, questionMark);
  let url: URL | null = null;
  let query: URLSearchParams | null = null;
  return {
    method: given.method,
    path,
    headers: given.headers ?? {},
    params: {},
    body: Buffer.isBuffer(given.body) ? given.body : Buffer.from(given.body ?? ""),
    get url() {
      url ??= toUrl(given.origin ?? "http://127.0.0.1", given.target);
      return url;
    },
    get query() {
      query ??= new URLSearchParams(questionMark < 0 ? "" : given.target.slice(questionMark + 1));
      return query;
    },
  };
}

/** A target that is not a URL, such as `//`, must still be answered. */
function toUrl(origin: string, target: string): URL {
  return URL.canParse(target, origin) ? new URL(target, origin) : new URL("/", "http://127.0.0.1");
}

export type Handler = (request: TenantRequest) => TenantResponse | Promise<TenantResponse>;

/** Answers a request; null if the path belongs to another part. */
export type Part = (request: TenantRequest) => Promise<TenantResponse | null>;

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly handler: Handler;
}

/** `{name}` matches one segment, `{name*}` the rest. Literal segments ignore case, as Graph's do. */
export function createRouter() {
  const routes = new Map<string, Route[]>();
  return {
    on(method: string, pattern: string, handler: Handler): void {
      const route = { method, segments: pattern.split("/").filter(Boolean), handler };
      const known = routes.get(method);
      if (known) known.push(route);
      else routes.set(method, [route]);
    },
    /** The handler for a request with its parameters filled in, or null; the caller decides about 405. */
    find(
      method: string,
      path: string,
    ): { handler: Handler; params: Record<string, string> } | null {
      const parts = path.split("/").filter(Boolean);
      for (const route of routes.get(method) ?? []) {
        const params = match(route.segments, parts);
        if (params !== null) return { handler: route.handler, params };
      }
      return null;
    },
    allows(path: string): string[] {
      const parts = path.split("/").filter(Boolean);
      return [...routes]
        .filter(([, list]) => list.some((route) => match(route.segments, parts) !== null))
        .map(([method]) => method);
    },
  };
}

function match(
  segments: readonly string[],
  parts: readonly string[],
): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!;
    if (segment.startsWith("{") && segment.endsWith("*}")) {
      params[segment.slice(1, -2)] = parts.slice(index).map(decode).join("/");
      return params;
    }
    const part = parts[index];
    if (part === undefined) return null;
    if (segment.startsWith("{")) params[segment.slice(1, -1)] = decode(part);
    else if (segment.toLowerCase() !== part.toLowerCase()) return null;
  }
  return parts.length === segments.length ? params : null;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an unescaped percent sign is ordinary text, not an encoding
  }
}
