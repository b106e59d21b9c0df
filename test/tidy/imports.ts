/** Which file may import which. */
import { folderOf, graphOf, importsOf, isTest, type Source } from "./sources.ts";

/** Stations in the order in which data passes them. */
const STATIONS = [
  "mailbox",
  "trades",
  "review",
  "archive",
  "filing",
  "analysis",
  "search",
  "sinks",
  "keep",
];
const RANKS = [
  ["lib", "client"],
  ["store", "files", "models"],
  ["microsoft", "jobs"],
  ["reading", "rights"],
  ["extract"],
  ["evaluate"],
  ["ingestion"],
  STATIONS,
  ["flows"],
  ["intake", "api"],
  ["config"],
  ["app"],
  ["cli"],
  ["main"],
];
/** Folders that start a flow by its spec and never import the flow itself. */
const DOORS = ["intake", "api", "cli"];
const rankOf = new Map(RANKS.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** Imports that point upwards, sideways, or out of the tenant. */
export function wrongImports(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isTest(source.path))
    .flatMap((source) =>
      importsOf(source)
        .filter((found) => !isAllowed(source.path, found.target, found.isType))
        .map((found) => `${source.path} imports ${found.target}`),
    );
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
  if (to === "flows" && DOORS.includes(from)) return toPath.startsWith("flows/specs/");
  if (fromRank !== toRank) return toRank < fromRank;
  return isType && STATIONS.indexOf(to) < STATIONS.indexOf(from) && STATIONS.includes(to);
}

function topOf(path: string): string {
  return path.split("/")[0]!.replace(/\.ts$/, "");
}

/** The stages of the extractor, in the order in which a document passes them. */
const STAGES = [
  "lexicon",
  "text",
  "layout",
  "values",
  "blocks",
  "arithmetic",
  "judgement",
  "answer",
];
const EXTRACTOR = "src/extract/";

/** Imports inside the extractor that go up, or that name a stage which is not in the list. */
export function wrongStages(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith(EXTRACTOR) && !isTest(path))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => target.startsWith(EXTRACTOR))
        .filter(({ target }) => stageOf(target) > stageOf(source.path))
        .map(({ target }) => `${source.path} imports ${target}`),
    );
}

/** Files of the folder itself are above all stages; no stage may import an unknown one. */
function stageOf(path: string): number {
  const parts = path.slice(EXTRACTOR.length).split("/");
  if (parts.length === 1) return STAGES.length;
  const stage = STAGES.indexOf(parts[0]!);
  return stage < 0 ? Number.POSITIVE_INFINITY : stage;
}

/**
 * Groups of files that reach one another. A type-only import counts: a reader who wants to understand
 * one file of a cycle has to read them all.
 */
export function importCycles(sources: readonly Source[]): string[] {
  const graph = graphOf(sources.filter((source) => !isTest(source.path)));
  const reached = new Map([...graph.keys()].map((path) => [path, reachableFrom(path, graph)]));
  const isMutual = (a: string, b: string) => reached.get(a)!.has(b) && reached.get(b)!.has(a);
  const seen = new Set<string>();
  const cycles: string[] = [];
  for (const path of graph.keys()) {
    if (seen.has(path) || !reached.get(path)!.has(path)) continue;
    const cycle = [...reached.get(path)!].filter((other) => isMutual(path, other)).sort();
    for (const member of cycle) seen.add(member);
    cycles.push(`cycle: ${cycle.join(", ")}`);
  }
  return cycles;
}

function reachableFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const open = [...graph.get(start)!];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...graph.get(path)!);
  }
  return found;
}

/** The root of a tree starts everything below it and provides what everything needs. */
const ROOTS = ["src", "tenant", "console/src"];

/** Pairs of folders, at any depth, whose files import each other: one of them is in the wrong place. */
export function mutualFolders(sources: readonly Source[]): string[] {
  const graph = graphOf(sources.filter((source) => !isTest(source.path)));
  const arrows = new Map<string, string>();
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const [a, b] = [folderOf(from), folderOf(to)];
      if (a !== b && !ROOTS.includes(a) && !ROOTS.includes(b))
        arrows.set(`${a} ${b}`, `${from} imports ${to}`);
    }
  }
  return [...arrows]
    .filter(([pair]) => {
      const [a, b] = pair.split(" ") as [string, string];
      return a < b && arrows.has(`${b} ${a}`);
    })
    .map(([pair, example]) => {
      const [a, b] = pair.split(" ") as [string, string];
      return `${a} and ${b}: ${example}, ${arrows.get(`${b} ${a}`)}`;
    });
}
