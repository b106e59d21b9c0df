/** Normalises Graph's paths and holds the table of handlers. */
import { createRouter } from "../../http.ts";
import type { GraphHandler } from "./graph-call.ts";
import { checkOptions } from "./query-options.ts";

export interface RouteTable {
  /**
   * Paths start after the version: `/users/{user}/messages`. The first match handles the request. `options`
   * are the query options that the handler honours; all others are refused.
   */
  on(method: string, pattern: string, handler: GraphHandler, options?: readonly string[]): void;
  find(
    method: string,
    path: string,
  ): { handler: GraphHandler; params: Record<string, string> } | null;
  allows(path: string): string[];
  /** All routes in the order in which they are tried. */
  list(): readonly RouteFacts[];
}

/** What a route answers, and the query options that it obeys. */
export interface RouteFacts {
  readonly method: string;
  readonly pattern: string;
  readonly options: readonly string[];
}

export function createRouteTable(): RouteTable {
  const router = createRouter();
  const facts: RouteFacts[] = [];
  return {
    on(method, pattern, handler, options = []) {
      facts.push({ method, pattern, options });
      const checked: GraphHandler = (call) => {
        checkOptions(call.request.query, options);
        return handler(call);
      };
      router.on(method, pattern, checked as never);
    },
    find: (method, path) => router.find(method, path) as never,
    allows: (path) => router.allows(path),
    list: () => facts,
  };
}

/**
 * One form for all spellings: `users('a')` becomes `users/a`; `delta()` and `microsoft.graph.delta` become
 * `delta`; `/me` is left to the caller; and a path through nested child folders keeps only the last one.
 */
export function normalizePath(path: string): string {
  return path
    .replace(/\((appId=(?:'|%27)[^)]*(?:'|%27))\)/gi, "/$1")
    .replace(/\((?:'|%27)([^)]*?)(?:'|%27)\)/g, "/$1")
    .replace(/\(\)/g, "")
    .replace(/\/microsoft\.graph\./gi, "/")
    .replace(
      /\/mailFolders\/[^/]+(?:\/childFolders\/[^/]+)*\/childFolders\/([^/]+)/i,
      "/mailFolders/$1",
    );
}

/** Splits `/v1.0/users` into version and rest; null if it is not a path of Graph. */
export function splitVersion(path: string): { version: string; rest: string } | null {
  const match = /^\/(v1\.0|beta)(\/.*)?$/i.exec(path);
  return match === null ? null : { version: match[1]!.toLowerCase(), rest: match[2] ?? "/" };
}
