/** The documentation agrees with the code. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { PROBLEM_CODES } from "../../src/api/http/problem-codes.ts";
import { buildCli } from "../../src/cli/main.ts";
import { NOTIFY } from "../../src/config/notify.ts";
import { TELEMETRY } from "../../src/config/telemetry.ts";
import { faultCodes, remedyOf } from "../../src/lib/fault.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const PAGES = [
  ...readdirSync(ROOT),
  ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith(".md"))
  .sort();

const ROOT_PAGES = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"];

describe("a page", () => {
  it.each(PAGES)("%s: every link leads to an existing file and heading", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it("has pictures for both themes, each of at most 150 KB", () => {
    const named = PAGES.flatMap((page) =>
      [...read(page).matchAll(/(?:srcset|src)="([^"]+)"/g)].map((found) =>
        join(dirname(page), found[1]!),
      ),
    );
    const wanted = named.map((path) => path.replace(/-(light|dark)\.webp$/, "-THEME.webp"));
    for (const path of wanted)
      for (const theme of ["light", "dark"]) {
        const file = join(ROOT, path.replace("THEME", theme));
        expect([file, existsSync(file) && statSync(file).size <= 150_000]).toEqual([file, true]);
      }
    expect(new Set(named).size).toBe(2 * new Set(wanted).size);
  });

  it.each([
    ["README.md", 120],
    ["ARCHITECTURE.md", 250],
    ["CONTRIBUTING.md", 120],
  ])("%s has at most %i lines", (page, most) => {
    expect(read(page).trimEnd().split("\n").length).toBeLessThanOrEqual(most);
  });

  it.each(PAGES)("%s: every command on the page exists", (page) => {
    const program = buildCli();
    expect(commandsIn(read(page)).filter((named) => !isCommand(program, named))).toEqual([]);
  });

  it.each(PAGES)("%s: every npm script on the page exists", (page) => {
    const scripts = Object.keys(JSON.parse(read("package.json")).scripts as object);
    const named = [...read(page).matchAll(/\bnpm run (?:--\S+ )*([\w:-]+)/g)].map(
      (match) => match[1],
    );
    expect(named.filter((name) => !scripts.includes(name!))).toEqual([]);
  });

  it.each(PAGES)("%s: every file or folder on the page exists", (page) => {
    const named = [...read(page).matchAll(/`((?:src|tenant|test|bench|docs|scripts)\/[\w./-]*)`/g)];
    expect(named.map((match) => match[1]!).filter((path) => !existsSync(join(ROOT, path)))).toEqual(
      [],
    );
  });
});

describe("the pages together", () => {
  it("there are four pages at the root and one per task in docs/, at most a tenth of the code", () => {
    const lines = (paths: readonly string[]) =>
      paths.reduce((sum, path) => sum + read(path).split("\n").length, 0);
    const code = ["src", "tenant", "test"].flatMap((folder) =>
      filesIn(folder).filter((path) => path.endsWith(".ts")),
    );
    expect(PAGES.filter((page) => !page.startsWith("docs/"))).toEqual(ROOT_PAGES);
    expect(lines(PAGES)).toBeLessThan(lines(code) / 10);
  });

  it("the README names the Node version that the program requires in one line [OPS-16]", () => {
    const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
    const oldest = engines.node.replace(">=", "");
    expect(read("README.md")).toContain(`Node ${oldest} or newer`);
    const older =
      "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})";
    const run = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(older)}`, "bin/postroom.js", "up"],
      // Without the check, a server would start here and never end.
      { cwd: ROOT, encoding: "utf8", timeout: 10_000 },
    );
    expect(run.status).toBe(2);
    expect(run.stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining(`needs Node ${oldest} or newer`),
    ]);
  });
});

describe("docs/console.md", () => {
  it("the page names every role and says how a person gets one", () => {
    const page = read("docs/console.md");
    const roles = [...read("src/api/access/roles.ts").matchAll(/^ {2}"(Postroom\.\w+)":/gm)];
    expect(roles).toHaveLength(4);
    for (const [, role] of roles) expect(page).toContain(`\`${role}\``);
    for (const step of ["app registration", "enterprise application", "operator-key"])
      expect(page).toContain(step);
  });
});

describe("docs/settings.md", () => {
  it("the page names every setting and no other", () => {
    const source = read("src/config.ts")
      .split("const Settings = z.object({")[1]!
      .split("\n});")[0]!;
    const groups: Readonly<Record<string, object>> = { NOTIFY, TELEMETRY };
    const settings = [
      ...[...source.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]!),
      ...[...source.matchAll(/^ {2}\.{3}(\w+),/gm)].flatMap(([, name]) =>
        Object.keys(groups[name!]!),
      ),
    ];
    expect(settings.length).toBeGreaterThan(20);
    expect(firstCells(read("docs/settings.md")).sort()).toEqual(settings.sort());
  });
});

describe("docs/errors.md", () => {
  it("the page names every fault code with its remedy and no other", () => {
    const remedies = ["retry", "wait", "ask-a-person", "give-up"];
    const rows = [...read("docs/errors.md").matchAll(/^\| `([\w.-]+)` \| ([\w-]+) \|/gm)];
    const found = rows.map((row) => [row[1]!, row[2]!]);
    expect(found).toEqual(faultCodes.map((code) => [code, remedyOf(code)]));
    expect(found.every(([, remedy]) => remedies.includes(remedy!))).toBe(true);
  });

  it("the page names every refusal of the API with what to do, and no other", () => {
    const rows = [...read("docs/errors.md").matchAll(/^\| `([\w.-]+)` \| HTTP \d+ \| (.*) \|$/gm)];
    expect(Object.fromEntries(rows.map((row) => [row[1]!, row[2]!]))).toEqual(PROBLEM_CODES);
  });

  it("the page says for each code whether anything raises it", () => {
    const sources = filesIn("src").filter(
      (path) => path.endsWith(".ts") && !/\.test\.ts$|^src\/lib\/fault\.ts$/.test(path),
    );
    const code = sources.map(read).join("\n");
    const rows = [...read("docs/errors.md").matchAll(/^\| `([\w.-]+)` \| [\w-]+ \| (.*)$/gm)];
    const wrong = rows.filter(([, name, text]) => {
      const isRaised = code.includes(`"${name}"`) || name === "unexpected";
      return isRaised === text!.includes("Nothing raises it");
    });
    expect(wrong.map((row) => row[1])).toEqual([]);
  });
});

describe("docs/requirements.md", () => {
  const page = read("docs/requirements.md");
  const claims = findClaims();

  it("the page has a row for every id in a test title", () => {
    const rows = new Set([...page.matchAll(ROW)].map((row) => row[1]!));
    expect([...claims.keys()].filter((id) => !rows.has(id))).toEqual([]);
  });

  // `vitest -u` updates the column.
  it("the page names for every row the files that show it", async () => {
    const upToDate = page.replace(ROW, (_, id: string, rule: string, shown: string) => {
      return `| ${id} | ${rule} | ${whereShown(claims.get(id) ?? [], shown)} |`;
    });
    await expect(upToDate).toMatchFileSnapshot(join(ROOT, "docs/requirements.md"));
  });
});

const ROW = /^\| ((?:[A-Z][A-Z0-9]*-\d+)|(?:R\d\d)|(?:S\d\d?)) \| (.*) \| ([^|]*) \|$/gm;
const FILES_NAMED_MAX = 3;
const NOT_SHOWN = ["no test yet", "not built yet"];

/** Keeps what the cell says if it is true, otherwise corrects it. */
function whereShown(files: readonly string[], cell: string): string {
  if (files.length === 0) return NOT_SHOWN.includes(cell) ? cell : NOT_SHOWN[0]!;
  const named = [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  const isTrue = named.length > 0 && named.every((file) => files.includes(file));
  const shown = isTrue ? named : files.slice(0, FILES_NAMED_MAX);
  return shown.map((file) => `\`${file}\``).join(", ");
}

/** Files by the row ids in their test titles. */
function findClaims(): Map<string, string[]> {
  const claims = new Map<string, string[]>();
  for (const file of ["src", "tenant", "test", "bench"].flatMap(testFilesIn).sort()) {
    const ids = read(file).matchAll(/\[((?:[A-Z][A-Z0-9]*-\d+)|(?:R\d\d)|(?:S\d\d?))\]/g);
    for (const id of new Set([...ids].map((match) => match[1]!))) {
      claims.set(id, [...(claims.get(id) ?? []), file]);
    }
  }
  return claims;
}

const testFilesIn = (folder: string): string[] =>
  filesIn(folder).filter((path) => /\.(test|suite)\.ts$/.test(path));

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => !path.includes("node_modules"));
}

function firstCells(page: string): string[] {
  return [...page.matchAll(/^\| `(\w+)`(?: •)? \|/gm)].map((match) => match[1]!);
}

function brokenLinks(page: string): string[] {
  const text = withoutCode(read(page));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", heading] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return heading !== undefined && !anchorsOf(read(target)).includes(heading);
    });
}

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, "");

function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

interface Named {
  readonly verbs: readonly string[];
  readonly options: readonly string[];
}

/** The commands after `postroom` in code on the page. */
function commandsIn(text: string): Named[] {
  const code = [...text.matchAll(/```[\s\S]*?```|`[^`\n]*`/g)].map((match) => match[0]).join("\n");
  return [
    ...code.matchAll(/(?:^|[`$(]|npx|npm run|[A-Z_]+=\S+)[ \t]*postroom ([^`|;#&\n]+)/gm),
  ].map((match) => {
    const words = match[1]!.trim().split(/\s+/);
    const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
    return {
      verbs: end === -1 ? words : words.slice(0, end),
      options: words.filter((word) => /^--[a-z]/.test(word)),
    };
  });
}

/** Follows the subcommands as far as they go; the rest are arguments. */
function isCommand(program: Command, { verbs, options }: Named): boolean {
  const known = ["--help"];
  let at = program;
  for (const verb of verbs) {
    const next = at.commands.find((child) => [child.name(), ...child.aliases()].includes(verb));
    if (next === undefined) {
      if (at === program || (at.commands.length > 0 && at.registeredArguments.length === 0))
        return false;
      break;
    }
    at = next;
    known.push(...at.options.map((option) => option.long ?? ""));
  }
  return options.every((option) => known.includes(option));
}
