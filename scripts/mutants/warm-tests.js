/**
 * A vitest that stays: it runs some tests of one file with one refusal off, again and again, and transforms no source
 * twice. Started by `start-warm-tests.js`, in the folder of the copy.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createVitest } from "vitest/node";

const [folder, postgresUrl, name] = process.argv.slice(2);
const hits = join(folder, `hits-${name}`);

/** Asked at each refusal; notes which test reaches it. */
const SETUP = `import { appendFileSync } from "node:fs";
import { expect, inject } from "vitest";
const { off, hits } = inject("refusal");
const seen = new Set();
globalThis.isOff = (id) => {
  const line = JSON.stringify([id, expect.getState().currentTestName ?? null]);
  if (hits !== null && !seen.has(line)) appendFileSync(hits, line + "\\n");
  seen.add(line);
  return id === off;
};
`;
await writeFile(join(folder, "switches.ts"), SETUP);

const vitest = await createVitest("test", {
  root: folder,
  config: false,
  watch: false,
  isolate: false,
  setupFiles: ["test/helpers/file-setup.ts", "switches.ts"],
  include: ["{src,test}/**/*.test.ts"],
  maxWorkers: 1,
  bail: 1,
  reporters: [{}],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 15_000 } },
});
const [project] = vitest.projects;
project.provide("postgresUrl", postgresUrl);

process.on("message", async ({ file, names, off, isNoted }) => {
  await writeFile(hits, "");
  project.provide("refusal", { off, hits: isNoted ? hits : null });
  const path = join(folder, file);
  const only = names === null ? {} : { testNamePattern: patternOf(names) };
  const result = await vitest.runTestSpecifications([project.createSpecification(path, only)]);
  const { unhandledErrors } = result;
  // Files of earlier runs are listed, too.
  const testModules = result.testModules.filter(({ moduleId }) => moduleId === path);
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  const ended = tests.filter((test) => ["passed", "failed"].includes(test.result().state));
  const passes =
    unhandledErrors.length === 0 && testModules.every((module) => module.state() !== "failed");
  process.send({
    passes,
    errors: passes ? [] : errorsOf(testModules, unhandledErrors),
    failed: ended
      .filter((test) => test.result().state === "failed")
      .map(({ fullName }) => fullName),
    tests: ended.map((test) => ({ name: test.fullName, ms: test.diagnostic()?.duration ?? 0 })),
    reached: (await readFile(hits, "utf8")).split("\n").filter(Boolean).map(JSON.parse),
  });
});
process.on("disconnect", async () => {
  await vitest.close();
  process.exit();
});
process.send("ready");

/** vitest joins a test's name and those of its suites with blanks. */
function patternOf(names) {
  const escaped = names.map((one) =>
    one.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" > ", "( > | )"),
  );
  return new RegExp(`^\\s*(?:${escaped.join("|")})$`);
}

function errorsOf(modules, unhandled) {
  const tests = modules.flatMap((module) => [...module.children.allTests("failed")]);
  const all = [
    ...unhandled,
    ...modules.flatMap((module) => module.errors()),
    ...modules.flatMap((module) => [...module.children.allSuites()].flatMap((one) => one.errors())),
    ...tests.flatMap((test) => test.result().errors ?? []),
  ];
  return all.map((error) => String(error.message ?? error).slice(0, 500));
}
