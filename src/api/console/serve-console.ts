/** Serves the console at `/`. Pages are the same document; the browser's router reads the path. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../http/problem.ts";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

export interface ServeConsoleNeeds {
  /** Resolves when the console is built; null if it cannot be built here, with the reason. */
  readonly files: Promise<ConsoleFiles | { readonly missing: string }>;
  /** Where people sign in; besides us, the page may only talk to this address. */
  readonly authorityOrigin: string | null;
}

/** Paths that never belong to a page, so that a wrong call gets 404 instead of a page. */
const NOT_PAGES = /^\/(api|office|upload|webhooks?|healthz|readyz|metrics|assets)(\/|$)/;

export function serveConsole(app: FastifyInstance, needs: ServeConsoleNeeds): void {
  const headers = securityHeaders(needs.authorityOrigin, CONSOLE_PAGES);
  const addinHeaders = securityHeaders(needs.authorityOrigin, ADDIN_PAGES);
  const signedInHeaders = securityHeaders(needs.authorityOrigin, SIGNED_IN_PAGE);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?")[0]!;
    const files = await needs.files;
    void reply.headers(
      path === SIGNED_IN ? signedInHeaders : path.startsWith("/addin/") ? addinHeaders : headers,
    );
    if ("missing" in files) {
      if (!isPage(request, path)) throw notFound("there is no such path");
      return reply
        .code(503)
        .type("text/plain; charset=utf-8")
        .send(`The console is not built.\n${files.missing}\n`);
    }
    const file = files.get(path) ?? (isPage(request, path) ? files.get("/index.html") : undefined);
    if (file === undefined) throw notFound("there is no such path");
    return send(request, reply, file);
  };
  app.get("/", answer);
  app.get("/*", answer);
}

function isPage(request: FastifyRequest, path: string): boolean {
  const { accept = "" } = request.headers;
  return path === "/" || (!NOT_PAGES.test(path) && accept.includes("text/html"));
}

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const encoding = encodingFor(request.headers["accept-encoding"], file);
  void reply
    .type(file.type)
    .header("etag", encoding === null ? file.etag : file.etag.replace(/"$/, `-${encoding}"`))
    .header("vary", "accept-encoding")
    .header("cache-control", file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.headers["if-none-match"] === reply.getHeader("etag")) return reply.code(304).send();
  if (encoding === null) return reply.send(file.plain);
  return reply.header("content-encoding", encoding).send(encoding === "br" ? file.br : file.gzip);
}

function encodingFor(accepted: string | string[] | undefined, file: ConsoleFile) {
  const names = String(accepted ?? "")
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]!.trim().toLowerCase());
  if (file.br !== null && names.includes("br")) return "br";
  return file.gzip !== null && names.includes("gzip") ? "gzip" : null;
}

/** Which scripts and styles a page may use, and which pages may show it in a frame. */
interface PageRules {
  readonly scripts: string;
  readonly styles: string;
  readonly frames: string;
  readonly ancestors: string;
  readonly opener: string;
}

const CONSOLE_PAGES: PageRules = {
  scripts: "'self'",
  styles: "'self'",
  frames: "",
  ancestors: "'none'",
  opener: "same-origin-allow-popups",
};

/** Entra sends its window back here. It must not lose the page that opened it, which would take it for closed. */
const SIGNED_IN = "/signed-in";
const SIGNED_IN_PAGE: PageRules = { ...CONSOLE_PAGES, opener: "unsafe-none" };

/**
 * The pane runs inside Outlook and Word, needs their library, and signs people in with a window. In some hosts the
 * library adds style elements; they are refused, and the pane does not need them.
 */
const ADDIN_PAGES: PageRules = {
  ...CONSOLE_PAGES,
  scripts: "'self' https://appsforoffice.microsoft.com",
  frames: "'self'",
  ancestors:
    "'self' https://*.office.com https://*.office365.com https://*.officeapps.live.com https://*.sharepoint.com https://*.cloud.microsoft https://outlook.live.com",
  opener: "unsafe-none",
};

function securityHeaders(
  authorityOrigin: string | null,
  { scripts, styles, frames, ancestors, opener }: PageRules,
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "font-src 'self'",
    "img-src 'self' blob: data:",
    "worker-src 'self'",
    `connect-src 'self'${authorityOrigin === null ? "" : ` ${authorityOrigin}`}`,
    `frame-src ${[frames, authorityOrigin].filter(Boolean).join(" ") || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": opener,
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
  };
}
