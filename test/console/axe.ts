/** axe in the page itself: its source is loaded once per page and no second tab is opened, which makes it several times faster. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const require = createRequire(import.meta.url);
/** The axe that the package for Playwright brings along. */
const SOURCE = createRequire(require.resolve("@axe-core/playwright")).resolve(
  "axe-core/axe.min.js",
);

/**
 * Serious and critical violations, each with its first element. `rules` limits the search: another theme of a page that
 * was searched already differs in its colours only.
 */
export async function seriousFlaws(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis")))
    await page.evaluate(await readFile(SOURCE, "utf8"));
  const options = {
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: { type: "rule", values: rules } }),
  };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + " " + nodes[0].html.slice(0, 300)))`);
}
