/** Figures for people to judge; only the number of long functions is a limit. */
import { folderOf, isTest, type Source } from "./sources.ts";

const FILES_MAX = 25;
const LINES_MAX = 70;
/** Markup is long and flat: a line for each attribute. */
const MARKUP_LINES_MAX = 100;
export const LONG_FUNCTIONS_MAX = 30;

/** Folders that no longer fit on a screen, tests not counted. */
export function crowdedFolders(sources: readonly Source[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of sources.filter((source) => !isTest(source.path)))
    counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > FILES_MAX)
    .map(([folder, count]) => `${folder} has ${count} files`);
}

const BEGIN = /^(?:export )?(?:(?:async )?function (\w+)|const (\w+) = (?:async )?\()/;

/** Functions at the top level of a file, from their first line to the brace that closes them. */
export function longFunctions(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isTest(source.path))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n");
      return lines.flatMap((line, start) => {
        const begin = BEGIN.exec(line);
        if (begin === null) return [];
        const rest = lines.slice(start).findIndex((other) => /^[})]/.test(other));
        const length = rest === -1 ? lines.length - start : rest + 1;
        return length > (path.endsWith(".tsx") ? MARKUP_LINES_MAX : LINES_MAX)
          ? [`${path}: ${begin[1] ?? begin[2]} has ${length} lines`]
          : [];
      });
    });
}
