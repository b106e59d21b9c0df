/** Rules about what a single file may say. Rules about imports, tables and sizes are in the files beside this one. */
import { isTest, type Source, withoutComments } from "./sources.ts";

/** Things that have one home each; elsewhere a test could not control them. */
const HOMES: readonly { pattern: RegExp; use: string; homes: readonly string[] }[] = [
  { pattern: /\bDate\.now\(/, use: "lib/clock", homes: ["src/lib/clock.ts"] },
  { pattern: /\bnew Date\(\)/, use: "lib/clock", homes: [] },
  { pattern: /\bMath\.random\(/, use: "lib/random", homes: ["src/lib/random.ts"] },
  { pattern: /\brandomUUID\(|\brandomBytes\(/, use: "lib/random", homes: ["src/lib/random.ts"] },
  {
    pattern: /(?<![.\w])(?:setTimeout|setInterval)\(/,
    use: "lib/clock",
    // The lease thread counts real seconds on purpose: no test may stop the clock that proves life.
    homes: ["src/lib/clock.ts", "src/store/lease-thread.ts"],
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

const GROUPS = "WEB|SUB|DLT|OBS|GRA|JOB|ING|TRD|ARC|DOC|NAV|AUTH|AI|MAIL2DOC|OFF|RAG|OPS|SEC|H|X";
/** A security check (S) with one digit counts only in brackets: S3 is also a service. */
const ROW = new RegExp(`\\b(?:(?:${GROUPS})-\\d\\d|[RS]\\d\\d)\\b(?![.,]\\d)|\\[S\\d\\]`);

/** Row ids belong in test titles and docs/requirements.md. */
export function rowIdsInCode(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isTest(source.path))
    .flatMap((source) => {
      const found = ROW.exec(source.text);
      return found === null ? [] : [`${source.path} names the requirement row ${found[0]}`];
    });
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
