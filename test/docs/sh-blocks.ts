/** What the pages tell people to type, sorted into what a test can run and what it cannot. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Programs of other people that no test has. */
const FOREIGN = /^(?:sudo )?(az|kubectl|docker|pwsh|cloudflared)\b/;

/** Programs of other people that tests run where they are installed. */
const [CLIENT, CLIENTS] = [/^(redis-cli|psql)\b/, ["redis-cli", "psql"]];
const absent = CLIENTS.filter((name) => spawnSync("which", [name]).status !== 0);

/** Commands that every run of CI carries out around this test, and the file that says so. */
const AROUND_US: readonly (readonly [command: string, file: string])[] = [
  ["npm ci", ".ci/run"],
  ["npm run check", ".ci/run"],
  ["npm test", ".ci/run"],
  ["npm run build", "package.json"],
];

export interface Line {
  readonly page: string;
  readonly block: number;
  readonly text: string;
  readonly kind: "run" | "foreign" | "around";
  /** Files that the comment behind the command says it finds. */
  readonly finds: readonly string[];
}

export const PAGES: readonly string[] = ["", "docs/"].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name}`),
);

export const pagesWithBlocks = (): string[] => PAGES.filter((page) => linesOf(page).length > 0);

const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

/** Every command in the `sh` blocks of a page, and what its `console` blocks show as typed, in order. */
export function linesOf(page: string): Line[] {
  return [...textOf(page).matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, kind, text], block) =>
      commandsIn(kind === "sh" ? text! : typedIn(text!)).map((line) => ({ page, block, ...line })),
  );
}

const typedIn = (session: string): string =>
  [...session.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command).join("\n");

const COMMAND =
  /^\s*(?:\$ )?(?:\w+=\S* )*(?:npx |sudo )?(?:postroom|np[mx]|node|curl|git|az|docker|kubectl|helm|pwsh|cloudflared|psql) /;

/** Fences that `linesOf` would pass over although they hold commands, or may. */
export function overlooked(page: string): string[] {
  let tag: string | null = null;
  return textOf(page)
    .split("\n")
    .flatMap((line, index) => {
      const at = `${page}:${index + 1} ${line}`;
      const [, indent, opened] = /^([\s>]*)(?:```|~~~)(.*)$/.exec(line) ?? [];
      if (opened === undefined)
        return tag !== null && !/^(?:sh|console)$/.test(tag) && COMMAND.test(line) ? [at] : [];
      tag = tag === null ? opened : null;
      const isPlain = indent === "" && line.startsWith("```") && /^\w*$/.test(opened);
      return isPlain && opened !== "bash" ? [] : [at];
    });
}

function commandsIn(block: string): Pick<Line, "text" | "kind" | "finds">[] {
  return block
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .flatMap((line) => {
      const [, command = "", comment = ""] = /^(.*?)(?:(?:^|\s)# (.*))?$/.exec(line)!;
      const finds = comment.match(/[\w-]+\.(?:html|eml|docx|pdf)\b/g) ?? [];
      return command.split(" && ").map((text) => ({ text: text.trim(), finds }));
    })
    .filter(({ text }) => text !== "")
    .map((line) => ({ ...line, kind: kindOf(line.text) }));
}

/** The program of somebody else that a line needs and this machine lacks; null if there is none. */
export function missingFor(command: string): string | null {
  const [, client] = CLIENT.exec(command) ?? [];
  if (client !== undefined) return absent.includes(client) ? client : null;
  return FOREIGN.exec(command)?.[1] ?? null;
}

function kindOf(command: string): Line["kind"] {
  if (missingFor(command) !== null) return "foreign";
  return AROUND_US.some(([one]) => one === command) ? "around" : "run";
}

/** Commands that are said to run around us although the named file does not contain them. */
export function notAroundUs(): string[] {
  return AROUND_US.filter(([command, file]) => {
    const said = readFileSync(join(ROOT, file), "utf8");
    const isScript = said.includes(`"prepack": "node scripts/build.js"`);
    return file === "package.json" ? !isScript : !said.split("\n").includes(command);
  }).map(([command]) => command);
}
