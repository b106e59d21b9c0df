/** Failures while somebody types a correction: nothing typed is lost, the page says what happened and recovers by itself. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { until } from "../helpers/app.ts";
import { type Console, goTo } from "./open-console.ts";
import { askAbout, loadQuestion } from "./questions.ts";

const SILENT = /No answer from the server\./;

export function testRecovery(get: () => Console): void {
  const ask = (seed: string) =>
    askAbout(get(), `${seed}.pdf`, { seed, kind: "buy", language: "en" });

  /** Opens a question with one value kept and another half typed. */
  async function startTyping(seed: string) {
    const { id } = await ask(seed);
    const { page, said } = await get().open("Omar Haddad", `/review/${id}`);
    await type(page, "reference", "KEPT-1");
    await page.keyboard.press("Enter");
    await type(page, "quantity", "12 and");
    return { id, page, said };
  }

  async function type(page: Page, field: string, text: string): Promise<void> {
    await page.locator(`[data-field=${field}]`).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
  }

  /** The half typed text is where it was, with the cursor in it, and makes sense with two more keys. */
  async function finishTyping(page: Page, id: number): Promise<void> {
    const input = page.getByRole("textbox", { name: "Quantity" });
    expect(await input.inputValue()).toBe("12 and");
    await input.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("1234");
    await page.keyboard.press("Enter");
    await confirm(page);
    const applied = await until("the answer to be carried out", async () => {
      const question = await loadQuestion(get(), id);
      return question.status === "applied" ? question : null;
    });
    expect(applied.line.facts).toMatchObject({ reference: "KEPT-1", quantity: 1234 });
    await page.getByText("Confirmed KEPT-1").waitFor();
    await page.context().close();
  }

  /** The sum no longer fits, so it takes two keys. */
  async function confirm(page: Page): Promise<void> {
    await page.getByRole("button", { name: /^Confirm with 2 changes/ }).waitFor();
    await page.keyboard.press("c");
    await page.getByText(/Press C again/).waitFor();
    await page.keyboard.press("c");
  }

  describe("while a correction is typed", () => {
    it("a lost network is announced, and all is there when it returns", async () => {
      const { id, page } = await startTyping("network");
      await page.context().setOffline(true);
      await page.getByText(SILENT).waitFor();
      await page.context().setOffline(false);
      await page.getByText(SILENT).waitFor({ state: "detached" });
      await finishTyping(page, id);
    });

    it.each([
      [429, { "retry-after": "1" }],
      [503, {}],
    ])("an answer that meets %i waits, is announced and is sent once", async (status, headers) => {
      const { id, page } = await startTyping(`status-${status}`);
      let isRefusing = true;
      let sent = 0;
      await page.route(/\/(api|healthz)/, (route) => {
        if (isRefusing) return route.fulfill({ status, headers, body: "{}" });
        if (route.request().url().endsWith("/decision")) sent += 1;
        return route.continue();
      });
      const input = page.getByRole("textbox", { name: "Quantity" });
      await input.press("Control+A");
      await page.keyboard.type("1234");
      await page.keyboard.press("Enter");
      await confirm(page);
      await page.getByText(SILENT).waitFor();
      isRefusing = false;
      await page.getByText(SILENT).waitFor({ state: "detached" });
      await page.getByText("Confirmed KEPT-1").waitFor();
      expect(sent).toBe(1);
      expect((await loadQuestion(get(), id)).line.facts).toMatchObject({ quantity: 1234 });
      await page.context().close();
    });

    it("an answer whose receipt is lost is not taken for somebody else's", async () => {
      const { id, page } = await startTyping("receipt");
      let isFirst = true;
      await page.route(/\/decision$/, async (route) => {
        if (!isFirst) return route.continue();
        isFirst = false;
        await route.fetch();
        return route.abort();
      });
      await finishTyping(page, id);
      expect(isFirst).toBe(false);
    });

    it("an expired token is renewed over the page, which stays as it is", async () => {
      const { id, page } = await startTyping("token");
      let isExpired = true;
      let refused = 0;
      await page.route("**/api/**", (route) => {
        if (route.request().url().endsWith("/api/console/sample-token")) isExpired = false;
        if (!isExpired || route.request().headers()["authorization"] === undefined)
          return route.continue();
        refused += 1;
        return route.fulfill({ status: 401, body: "{}" });
      });
      await until("a call with the old token", () => Promise.resolve(refused > 0));
      await until("a new token", () => Promise.resolve(!isExpired));
      await page.getByRole("region", { name: "Sign in" }).waitFor({ state: "detached" });
      await finishTyping(page, id);
    });

    it("an answer that does not come is asked for again by a reader who no longer waits", async () => {
      const { page } = await get().open("Omar Haddad");
      await page.clock.install();
      let asked = 0;
      await page.route(/\/api\/trades\b/, (route) => {
        asked += 1;
        return asked === 1 ? undefined : route.continue();
      });
      await goTo(page, "/trades");
      await until("a call", () => Promise.resolve(asked === 1));
      await page.clock.fastForward(10_000);
      await page.getByText("The server is slow.").waitFor();
      await page.getByRole("button", { name: "Retry" }).click();
      await page.getByRole("table", { name: "Trades" }).waitFor();
      expect(asked).toBeGreaterThan(1);
      await page.context().close();
    });

    it("events go on by themselves after a new sign-in", async () => {
      const { page } = await get().open("Omar Haddad");
      let isExpired = true;
      await page.route("**/api/console/sample-token", (route) => {
        isExpired = false;
        return route.continue();
      });
      await page.route("**/api/events/tail**", (route) =>
        isExpired ? route.fulfill({ status: 401, body: "{}" }) : route.continue(),
      );
      await goTo(page, "/events");
      // The overview, which is left here, is live in the same words.
      await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
      await page.getByText(/^Live, /).waitFor();
      expect(isExpired).toBe(false);
      await page.context().close();
    });

    it("a server that is killed and started again loses nothing either", async () => {
      const { id, page } = await startTyping("restart");
      const { restart } = await get().crash();
      await page.getByText(SILENT).waitFor();
      await restart();
      await page.getByText(SILENT).waitFor({ state: "detached" });
      await finishTyping(page, id);
    });
  });
}
