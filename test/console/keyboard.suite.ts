/** Hands stay on the keys: no test here touches the mouse. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addDeadLetters } from "./dead-letters.ts";
import type { Console } from "./open-console.ts";

export function testKeyboard(get: () => Console): void {
  describe("without a mouse", () => {
    it("an operator finds dead letters, sees what a replay would do, and replays them", async () => {
      const cause = await addDeadLetters(get(), { count: 3, message: "the printer is on fire" });
      const { page, said } = await get().open("Nina Berg");
      await page.keyboard.press("g");
      await page.keyboard.press("l");
      await page.getByRole("heading", { level: 1, name: "Dead letters" }).waitFor();
      const row = page.getByRole("button", { name: /^the printer is on fire/ });
      await row.waitFor();
      await tabTo(page, "[data-row]");
      for (let step = 0; step < 20 && !(await isFocused(page, /^the printer/)); step++)
        await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("cause") === cause);
      await page.keyboard.press("r");
      await page.getByText("3 jobs would run again; 0 cannot be replayed.").waitFor();
      await page.keyboard.type("the fire is out");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/replays\//);
      await page.getByRole("heading", { name: "The replay finished. 3 of 3 jobs." }).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });

    it("an operator dismisses dead letters with a reason", async () => {
      const cause = await addDeadLetters(get(), { count: 2, message: "nobody misses this" });
      const { page } = await get().open("Nina Berg", `/dead-letters?cause=${cause}`);
      await page.getByRole("complementary", { name: "2 dead letters" }).waitFor();
      await page.keyboard.press("d");
      await page.getByText("2 jobs would leave this list and never run again.").waitFor();
      await page.keyboard.type("never needed");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page
        .getByRole("button", { name: /^nobody misses this/ })
        .waitFor({ state: "detached" });
      const { causes } = await get().ask<{ causes: { cause: string }[] }>("/api/dlq/causes");
      expect(causes.map((each) => each.cause)).not.toContain(cause);
      await page.context().close();
    });
  });
}

/** Presses Tab until the focus is on such an element, as a person does who looks for it. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

async function isFocused(page: Page, name: RegExp): Promise<boolean> {
  const label = await page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''");
  return name.test(String(label));
}
