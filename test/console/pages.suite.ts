/**
 * Every screen, looked at and judged: nothing clipped, covered or scrolling sideways, no serious flaw of access, nothing
 * said to the browser's console. `node scripts/shoot.js` runs it for both themes and all three widths and keeps the pictures.
 */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { seriousFlaws } from "./axe.ts";
import { findLayoutFlaws } from "./layout-flaws.ts";
import { type Console, goTo } from "./open-console.ts";
import { findScreens, findStates, type Screen, type State } from "./screens.ts";

const SHOTS = process.env["POSTROOM_SHOTS"];
const CONSOLE = resolve(import.meta.dirname, "../../console/src");
const ROUTES = join(CONSOLE, "routes.tsx");
const isLong = Boolean(process.env["POSTROOM_LONG"]);
/** The first is the wide one, in which axe searches for everything. */
const WIDTHS = isLong ? [1440, 1280, 390] : [1280, 390];
const BOTH_PAINTED =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

async function open(page: Page, { path, ready, key, button }: Screen): Promise<void> {
  await goTo(page, path);
  if (key !== undefined) await page.keyboard.press(key);
  if (button !== undefined) await page.locator(button).first().click();
  await page.locator(ready).first().waitFor();
}

async function show(page: Page, screen: Screen): Promise<void> {
  const { path } = screen;
  await open(page, screen);
  // The page of the design shows what loading looks like.
  if (path !== "/design")
    await expect.poll(() => page.locator("main [aria-busy]").count(), { message: path }).toBe(0);
  await page.evaluate("document.fonts.ready");
}

/** Scrolls all that can be scrolled, and says whether there was anything. */
const scrollAll = (to: "end" | "top"): string =>
  `[...document.querySelectorAll("#content, #content *, [role=dialog] *")].filter((each) =>
    each.scrollHeight > each.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(each).overflowY)
  ).map((each) => each.scrollTo(0, ${to === "end" ? "each.scrollHeight" : "0"})).length > 0`;

/** The screen, and its end if that is further down. */
async function shoot(page: Page, path: string): Promise<void> {
  await page.screenshot({ path: `${path}.png` });
  if (!(await page.evaluate(scrollAll("end")))) return;
  await page.evaluate(BOTH_PAINTED);
  await page.screenshot({ path: `${path}-end.png` });
  await page.evaluate(scrollAll("top"));
  await page.evaluate(BOTH_PAINTED);
}

/** Everything that is wrong with the screen; afterwards it is wide and light again. */
async function judge(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const add = (look: string, flaws: readonly string[]) =>
    found.push(...flaws.map((flaw) => `${name} ${look}: ${flaw}`));
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of theme === "light" || isLong ? WIDTHS : WIDTHS.slice(0, 1)) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(BOTH_PAINTED);
      if (SHOTS) await shoot(page, join(SHOTS, `${name}-${theme}-${width}`));
      if (theme === "light" || isLong)
        add(`at ${width}`, (await page.evaluate(findLayoutFlaws)) as string[]);
      const isWide = width === WIDTHS[0];
      if (theme === "light" && (isWide || isLong)) add(theme, await seriousFlaws(page));
      else if (theme === "dark" && isWide) add(theme, await seriousFlaws(page, ["color-contrast"]));
    }
  }
  await page.setViewportSize({ width: WIDTHS[0]!, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  if (await page.getByRole("dialog").count()) await page.keyboard.press("Escape");
  return found;
}

export function testPages(get: () => Console): void {
  describe("the look at a layout", () => {
    it("finds what is cut off, covered or too wide, and no flaw where there is none", async () => {
      const cases: [string, string][] = [
        ["scrolls sideways by 100", '<div style="width: calc(100vw + 100px)">wide</div>'],
        [
          "cut off sideways",
          '<div style="width: 40px; overflow: hidden; white-space: nowrap">much too long</div>',
        ],
        [
          "cut off in height",
          '<div style="height: 10px; overflow: hidden">high<br>and higher</div>',
        ],
        ["covered: below", '<p>below</p><p style="margin-top: -34px; background: red">above</p>'],
        [
          "overlap: one and two",
          '<button>one</button><button style="margin-left: -9px">two</button>',
        ],
        [
          "a dialog scrolls sideways",
          '<div role="dialog"><div style="width: 40px; overflow-y: auto; white-space: nowrap">much too long</div></div>',
        ],
        [
          "shortened title",
          '<h1 style="width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">in dots</h1>',
        ],
        [
          "nothing",
          '<div style="width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">in dots</div>',
        ],
        [
          "nothing",
          '<div style="width: 40px; overflow: auto; white-space: nowrap">can be scrolled</div>',
        ],
      ];
      const { page } = await get().open(null);
      await page.goto("about:blank");
      for (const [flaw, html] of cases) {
        await page.setContent(`<body style="margin: 0"><main>${html}</main></body>`);
        const found = (await page.evaluate(findLayoutFlaws)) as string[];
        expect(found).toEqual(flaw === "nothing" ? [] : [expect.stringContaining(flaw)]);
      }
      await page.context().close();
    });
  });

  describe("every screen", () => {
    it("cuts no text off, covers none, scrolls in one direction, has no serious flaw of access in either theme, and is silent", async () => {
      if (SHOTS) await mkdir(SHOTS, { recursive: true });
      const screens = await findScreens(get());
      await expectNoneForgotten(screens);
      await expectEveryComponent();
      const found: string[] = [];
      const signIn = await get().open(null, "/");
      await signIn.page.getByRole("button", { name: /Nina Berg/ }).waitFor();
      found.push(...(await judge(signIn.page, "signIn")), ...signIn.said);
      await signIn.page.context().close();
      const { page, said } = await get().open("Nina Berg", "/", {
        viewport: { width: WIDTHS[0]!, height: 900 },
      });
      for (const [name, screen] of Object.entries(screens)) {
        await show(page, screen);
        found.push(...(await judge(page, name)));
        found.push(...said.splice(0).map((line) => `${name} said ${line}`));
      }
      expect(found).toEqual([]);
      await page.context().close();
    }, 900_000);
  });
}

/** Comes after the other tests: with so many dead letters of one cause the overview names no other. */
export function testStates(get: () => Console): void {
  describe("every state", () => {
    it("of waiting, failing, refusing, having nothing or too much is as clean as a screen", async () => {
      if (SHOTS) await mkdir(SHOTS, { recursive: true });
      const found: string[] = [];
      for (const [name, state] of Object.entries(await findStates(get())))
        found.push(...(await judgeState(get(), name, state)));
      expect(found).toEqual([]);
    }, 900_000);
  });
}

/** On a page of its own: what the network does stays with it. The browser's own words about a refusal are not ours. */
async function judgeState(app: Console, name: string, state: State): Promise<string[]> {
  const { page, said } = await app.open(state.person ?? "Nina Berg", "/settings", {
    viewport: { width: WIDTHS[0]!, height: 900 },
  });
  if (state.network !== undefined) await page.route(...state.network);
  await open(page, state);
  const found = await judge(page, name);
  await page.context().close();
  const flaws = state.hasLongTitle ? found.filter((flaw) => !/shortened title/.test(flaw)) : found;
  const ours = said.filter((line) => !/Failed to load resource/.test(line));
  return [...flaws, ...ours.map((line) => `${name} said ${line}`)];
}

/** Every component that a screen may use is on the page of the design. */
async function expectEveryComponent(): Promise<void> {
  const read = async (folder: string) => {
    const names = (await readdir(join(CONSOLE, folder))).filter((name) => name.endsWith(".tsx"));
    const texts = names.map((name) => readFile(join(CONSOLE, folder, name), "utf8"));
    return (await Promise.all(texts)).join("\n");
  };
  const [design, page] = await Promise.all([read("design"), read("design-page")]);
  const components = [...design.matchAll(/export function ([A-Z]\w*)/g)].map(([, name]) => name!);
  expect(components.length).toBeGreaterThan(25);
  // The dialog brings its own.
  const absent = components.filter((name) => name !== "Scrim" && !page.includes(`<${name}`));
  expect(absent).toEqual([]);
}

async function expectNoneForgotten(screens: Record<string, Screen>): Promise<void> {
  const routes = [...(await readFile(ROUTES, "utf8")).matchAll(/page\("([^"]+)"/g)].map(
    ([, route]) => route!,
  );
  const isShown = (route: string) =>
    Object.values(screens).some(({ path }) =>
      new RegExp(`^${route.replace(/\$\w+/g, "[^/?]+")}(\\?|$)`).test(path),
    );
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((route) => !isShown(route))).toEqual([]);
}
