/**
 * The walks of ARCHITECTURE.md. A block fenced as `walk` names the files that a reader passes, one per line:
 *
 *   src/flows/a.ts                      what happens here
 *     src/mailbox/b.ts                  the nearest file above with less indentation imports this one
 *     ⇢ src/flows/c.ts (someJob)        that file and this one both name it: a job, or an interface that app/ wires
 */
import { dirname, join } from "node:path/posix";

export interface Step {
  readonly indent: number;
  readonly path: string;
  /** What both files name, where one does not import the other. */
  readonly shared: string | null;
}

type Read = (path: string) => string | null;

export function readWalks(page: string): Step[][] {
  return [...page.matchAll(/^```walk\n([\s\S]*?)^```$/gm)].map(([, block]) =>
    block!
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(toStep),
  );
}

function toStep(line: string): Step {
  const found = /^( *)(?:⇢ (\S+) \((\w+)\)|(src\/\S+))(?: {2,}|$)/.exec(line);
  if (found === null) throw new Error(`not a step of a walk: ${line}`);
  const [, spaces, hop, shared, path] = found;
  return { indent: spaces!.length, path: (hop ?? path)!, shared: shared ?? null };
}

/** What a walk says that the files do not. `read` returns null if there is no such file. */
export function wrongSteps(walk: readonly Step[], read: Read): readonly string[] {
  return walk.flatMap((step, at) => {
    if (read(step.path) === null) return [`${step.path} does not exist`];
    if (at === 0) return [];
    const from = walk.slice(0, at).findLast((other) => other.indent < step.indent);
    if (from === undefined) return [`${step.path} is reached from nowhere`];
    return step.shared === null
      ? wrongImport(from.path, step.path, read)
      : wrongHop(step.shared, [from.path, step.path], read);
  });
}

function wrongImport(from: string, to: string, read: Read): string[] {
  const isImported = importsOf(from, read(from) ?? "").some(({ path }) => path === to);
  return isImported ? [] : [`${from} does not import ${to}`];
}

function wrongHop(name: string, files: readonly [string, string], read: Read): string[] {
  const homes = files.map((file) => homeOf(name, file, read(file) ?? ""));
  const missing = files.filter((_, at) => homes[at] === null);
  if (missing.length > 0) return missing.map((file) => `${file} does not name ${name}`);
  return homes[0] === homes[1] ? [] : [`${files.join(" and ")} mean different ${name}`];
}

/** The file that exports what is called `name` in this one. */
function homeOf(name: string, path: string, text: string): string | null {
  const isExported = new RegExp(
    `^export (?:async )?(?:const|function|class|interface|type) ${name}\\b`,
    "m",
  ).test(text);
  if (isExported) return path;
  return importsOf(path, text).find(({ names }) => names.includes(name))?.path ?? null;
}

function importsOf(path: string, text: string): { path: string; names: string[] }[] {
  const found = text.matchAll(/^(?:im|ex)port (?:type )?([^;"']*?)from "(\.[^"]+)"/gm);
  return [...found].map(([, names, target]) => ({
    path: join(dirname(path), target!),
    names: names!.match(/\w+/g) ?? [],
  }));
}
