import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createLocalAdminClient } from "./admin/admin-client.ts";
import { tenantCommand } from "./cli.ts";
import { FAULT_KINDS } from "./command/fault-kinds.ts";
import { UNMODELLED } from "./graph/messages/unmodelled-routes.ts";
import { createTenant } from "./index.ts";
import { runScenario } from "./scenario.ts";
import { createSwitches } from "./switches.ts";

const page = readFileSync(new URL("../docs/tenant.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, text]) => text!,
  );

const folder = mkdtempSync(join(tmpdir(), "tenant-docs-"));
writeFileSync(join(folder, "note.pdf"), "%PDF-1.4");
writeFileSync(join(folder, "forwarded.eml"), "From: a@b.example\r\nSubject: Hi\r\n\r\nHello\r\n");
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.restoreAllMocks());

it("every command of the page works, in the order of the page", async () => {
  const tenant = await createTenant({ clock: "virtual", company: "small", serviceBus: false });
  const errors: string[] = [];
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
  const commands = blocks("sh").flatMap((block) => block.trim().split("\n"));
  expect(commands.length).toBeGreaterThan(15);
  for (const line of commands) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
    const args = words
      .slice(1)
      .map((word) => (/\.(pdf|eml|json)$/.test(word) ? join(folder, word) : word));
    await new Command("postroom")
      .addCommand(tenantCommand())
      .parseAsync(["node", "postroom", ...args, "--admin", tenant.addresses.admin]);
    expect(errors, line).toEqual([]);
  }
  await tenant.close();
});

describe("the scenarios of the page", () => {
  const scenarios = blocks("yaml").map((text) => [/^# (\S+)/.exec(text)![1]!, text] as const);
  it("are three in number", () => expect(scenarios).toHaveLength(3));
  it.each(scenarios)("%s runs to its end", async (_name, text) => {
    const tenant = await createTenant({ host: null, clock: "virtual" });
    const steps: string[] = [];
    await runScenario(createLocalAdminClient(tenant), text, {
      folder,
      onStep: ({ what }) => void steps.push(what),
    });
    expect(steps.length).toBeGreaterThan(3);
    await tenant.close();
  });
});

it("the page names every switch with its default", () => {
  for (const [name, value] of Object.entries(createSwitches())) {
    const row = new RegExp(`^\\| \`${name}\` \\| \`?${String(value)}\`? \\|`, "m");
    expect(page, name).toMatch(row);
  }
});

it("the help and the page name every fault that some part knows", () => {
  const sources = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => readFileSync(new URL(path, import.meta.url), "utf8"));
  const struck = sources.flatMap((text) =>
    [...text.matchAll(/strike\(\s*(\[[^\]]*\]|"[a-z-]+")/g)].flatMap(([, kinds]) =>
      [...kinds!.matchAll(/"([a-z-]+)"/g)].map(([, kind]) => kind!),
    ),
  );
  expect(new Set(struck).size).toBeGreaterThan(10);
  for (const kind of new Set(struck)) {
    expect(FAULT_KINDS).toContain(kind);
    expect(page).toContain(kind.replace(/^(drop|duplicate)-notification$/, "$1-"));
  }
});

it("the page names every part of a mailbox that is refused", () => {
  for (const [path] of UNMODELLED) {
    const segment = path
      .split("/")
      .find((each) => each !== "" && !/users|[{]|mailFolders|outlook/.test(each))!;
    expect(page).toContain(`\`${segment.replace("getMailTips", "mailTips")}\``);
  }
});

it("every verb's help shows an example", () => {
  const verbs = (command: Command): Command[] =>
    command.commands.length === 0
      ? [command]
      : command.commands.flatMap((each) => verbs(each as Command));
  for (const verb of verbs(tenantCommand())) {
    let help = "";
    verb.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    verb.outputHelp();
    expect(help, verb.name()).toContain("Example:");
  }
});
