/** The rules of ARCHITECTURE.md that a machine can check. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Stations stand in the order in which data passes them. */
const STATIONS = ["mailbox", "trades", "review", "archive", "filing", "analysis", "search"];
const RANKS = [
  ["lib"],
  ["store", "files"],
  ["microsoft", "jobs"],
  ["reading"],
  ["extract"],
  ["ingestion"],
  STATIONS,
  ["flows"],
  ["intake", "api"],
  ["config"],
  ["app"],
  ["cli"],
  ["main"],
];
/** They start a flow by its spec and never see its body. */
const DOORS = ["intake", "api", "cli"];
const rankOf = new Map(RANKS.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

export function readSources(root: string, folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes("node_modules"))
      .map((path) => ({
        path: relative(root, path).replaceAll("\\", "/"),
        text: readFileSync(path, "utf8"),
      })),
  );
}

const isTest = (path: string) => /\.(test|suite)\.ts$/.test(path) || path.startsWith("test/");
const IMPORT = /(?:^|\n)\s*(?:im|ex)port (type )?[^;"']*?from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g;

/** Arrows that point upwards, sideways, or out of the tenant. */
export function wrongImports(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isTest(source.path))
    .flatMap((source) =>
      importsOf(source)
        .filter((found) => !isAllowed(source.path, found.target, found.isType))
        .map((found) => `${source.path} imports ${found.target}`),
    );
}

function importsOf(source: Source): { target: string; isType: boolean }[] {
  return [...source.text.matchAll(IMPORT)].map(([, type, from, dynamic]) => ({
    target: relative(".", resolve(dirname(source.path), (from ?? dynamic)!)).replaceAll("\\", "/"),
    isType: type !== undefined,
  }));
}

function isAllowed(from: string, to: string, isType: boolean): boolean {
  const [fromTree, toTree] = [from.split("/")[0], to.split("/")[0]];
  if (fromTree === "tenant") return toTree === "tenant";
  if (fromTree === "bench") return true;
  if (toTree === "tenant") return from.startsWith("src/cli/");
  if (toTree !== "src") return false;
  return isDownwards(from.slice("src/".length), to.slice("src/".length), isType);
}

function isDownwards(fromPath: string, toPath: string, isType: boolean): boolean {
  const [from, to] = [topOf(fromPath), topOf(toPath)];
  const [fromRank, toRank] = [rankOf.get(from), rankOf.get(to)];
  if (fromRank === undefined || toRank === undefined) return false; // give the folder a rank first
  if (from === to) return true;
  if (to === "flows" && DOORS.includes(from)) return toPath.startsWith("flows/specs");
  if (fromRank !== toRank) return toRank < fromRank;
  return isType && STATIONS.indexOf(to) < STATIONS.indexOf(from) && STATIONS.includes(to);
}

function topOf(path: string): string {
  return path.split("/")[0]!.replace(/\.ts$/, "");
}

/** Things that have one home each; elsewhere a test could not move them. */
const HOMES: readonly { pattern: RegExp; use: string; homes: readonly string[] }[] = [
  { pattern: /\bDate\.now\(/, use: "lib/clock", homes: ["src/lib/clock.ts"] },
  { pattern: /\bnew Date\(\)/, use: "lib/clock", homes: [] },
  { pattern: /\bMath\.random\(/, use: "lib/random", homes: ["src/lib/random.ts"] },
  { pattern: /\brandomUUID\(|\brandomBytes\(/, use: "lib/random", homes: ["src/lib/random.ts"] },
  {
    pattern: /(?<![.\w])(?:setTimeout|setInterval)\(/,
    use: "lib/clock",
    // The lease thread counts real seconds on purpose: liveness is never played with.
    homes: ["src/lib/clock.ts", "src/jobs/lease-thread.ts"],
  },
  { pattern: /(?<![.\w])fetch\(/, use: "lib/http", homes: ["src/lib/http.ts"] },
  { pattern: /\bprocess\.env\b/, use: "config.ts", homes: ["src/config.ts"] },
];

export function strayUses(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => source.path.startsWith("src/") && !isTest(source.path))
    .flatMap((source) =>
      HOMES.filter(
        (home) =>
          !home.homes.includes(source.path) && home.pattern.test(withoutComments(source.text)),
      ).map((home) => `${source.path} uses ${home.pattern.source}: use ${home.use}`),
    );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
}

/** Row ids belong in test titles and docs/requirements.md. */
export function rowIdsInCode(sources: readonly Source[]): string[] {
  const row =
    /\b(?:WEB|SUB|DLT|OBS|GRA|JOB|ING|TRD|ARC|DOC|NAV|AUTH|AI|MAIL2DOC|OFF|RAG|OPS|SEC)-\d\d\b/;
  return sources
    .filter((source) => !isTest(source.path) && row.test(source.text))
    .map((source) => `${source.path} names a requirement row`);
}

export function unexplainedSkips(sources: readonly Source[]): string[] {
  return sources
    .filter(
      (source) =>
        isTest(source.path) &&
        /\b(?:it|test|describe)\.(?:skip|only|todo|runIf)/.test(withoutComments(source.text)),
    )
    .map((source) => `${source.path} skips or singles out a test`);
}
