/**
 * Every state of the pane at 320 pixels, looked at and judged like the screens of the console. `node scripts/shoot.js`
 * keeps the pictures.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PERSON } from "./addin.suite.ts";
import { seriousFlaws } from "./axe.ts";
import { findLayoutFlaws } from "./layout-flaws.ts";
import type { Console } from "./open-console.ts";

const SHOTS = process.env["POSTROOM_SHOTS"];

/** What differs by language in the steps below. */
const WORDS = {
  de: { save: "Ablegen", saved: "Abgelegt.", filed: /Bereits abgelegt/, analyse: /gründlich/ },
  en: { save: "Save", saved: "Saved.", filed: /Already saved/, analyse: /in depth/ },
} as const;
type Language = keyof typeof WORDS;
const LANGUAGES: readonly Language[] = process.env["POSTROOM_LONG"] ? ["de", "en"] : ["de"];

export function testAddinPages(get: () => Console): void {
  async function judge(page: Page, name: string): Promise<string[]> {
    const found: string[] = [];
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      if (SHOTS)
        await page.screenshot({ path: join(SHOTS, `pane-${name}-${theme}.png`), fullPage: true });
      const flaws = [
        ...((await page.evaluate(findLayoutFlaws)) as string[]),
        ...(await seriousFlaws(page, theme === "light" ? undefined : ["color-contrast"])),
      ];
      found.push(...flaws.map((flaw) => `${name} ${theme}: ${flaw}`));
    }
    await page.emulateMedia({ colorScheme: "light" });
    return found;
  }

  async function openPane(language: Language, what: string) {
    const { page, said } = await get().open(
      null,
      `/addin/index.html?host=play&language=${language}&${what}`,
      { viewport: { width: 320, height: 700 } },
    );
    await page.getByRole("button", { name: PERSON }).waitFor();
    return { page, said };
  }

  async function choose(page: Page, matter: string): Promise<void> {
    await page.getByRole("button", { name: PERSON }).click();
    await page.getByRole("searchbox").first().fill(matter);
    await page.getByRole("radio", { name: new RegExp(matter) }).check();
  }

  describe("every state of the pane", () => {
    it.each(LANGUAGES)(
      "in %s fits into 320 pixels, has no serious flaw of access in either theme, and is silent",
      async (language) => {
        if (SHOTS) await mkdir(SHOTS, { recursive: true });
        const words = WORDS[language];
        const found: string[] = [];
        const look = async (page: Page, name: string) =>
          found.push(...(await judge(page, `${name}-${language}`)));

        const mail = await openPane(language, "mail=lease");
        await look(mail.page, "signIn");
        await mail.page.getByRole("button", { name: PERSON }).click();
        await mail.page.getByRole("radio", { checked: true }).waitFor();
        await look(mail.page, "choose");
        await mail.page.getByRole("searchbox").fill("zzzz");
        await mail.page.getByRole("button", { name: /zzzz/ }).waitFor();
        await look(mail.page, "nothingFound");
        await mail.page.context().close();

        const word = await openPane(language, "app=Excel");
        await choose(word.page, "Brown");
        await word.page.getByRole("checkbox", { name: words.analyse }).check();
        await word.page.getByRole("button", { name: words.save, exact: true }).click();
        await word.page.getByRole("region").getByText("It is a lease.").waitFor();
        await look(word.page, "analysis");
        await word.page.context().close();

        const fee = await openPane(language, "mail=fee");
        await choose(fee.page, "Brown");
        await fee.page.getByRole("button", { name: words.save, exact: true }).click();
        await fee.page.getByText("100 %").waitFor();
        await look(fee.page, "saved");
        await fee.page.reload();
        await fee.page.getByRole("button", { name: PERSON }).click();
        await fee.page.getByText(words.filed).waitFor();
        await look(fee.page, "filed");
        await fee.page.context().close();

        const draft = await openPane(language, "mail=draft");
        await draft.page.getByRole("button", { name: PERSON }).click();
        await draft.page.getByRole("searchbox").nth(1).fill("Fee note");
        await draft.page.getByRole("group", { name: "Fee note.txt" }).waitFor();
        await look(draft.page, "draft");
        await draft.page.context().close();

        expect(found).toEqual([]);
        for (const { said } of [mail, word, fee, draft])
          expect(said.filter((line) => !/409 \(Conflict\)/.test(line))).toEqual([]);
      },
      300_000,
    );
  });
}
