/** Hands stay on the keys: no test here touches the mouse. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import { addDeadLetters } from "./dead-letters.ts";
import type { Console } from "./open-console.ts";
import { askAbout, loadQuestion, type ReviewRow } from "./questions.ts";

const QUESTIONS = process.env["POSTROOM_LONG"] ? 100 : 10;
const FILES_MAX = 20;

export function testKeyboard(get: () => Console): void {
  /** Uploads notes of a stranger, which all become questions. */
  async function askMany(count: number): Promise<number[]> {
    const names = Array.from({ length: count }, (_, index) => `key-${index}.pdf`);
    for (let from = 0; from < count; from += FILES_MAX) {
      const form = new FormData();
      form.append("senderEmail", "notes@stranger.example");
      for (const name of names.slice(from, from + FILES_MAX)) {
        const { pdf } = await makeNote({ seed: name, kind: "buy", language: "en" });
        form.append("file", new Blob([new Uint8Array(pdf)], { type: "application/pdf" }), name);
      }
      await get().ask("/api/contract-notes", { method: "POST", body: form });
    }
    return until(`${count} questions`, async () => {
      const { reviews } = await get().ask<{ reviews: ReviewRow[] }>("/api/reviews?limit=1000");
      const ids = reviews.filter(({ about }) => names.includes(about.file)).map(({ id }) => id);
      return ids.length === count ? ids : null;
    });
  }

  /** Confirms the question on the page; every third gets a new reference, every fifth is rejected. */
  async function answer(page: Page, id: number, turn: number): Promise<string> {
    await page.locator(`[data-question="${id}"] [data-focused]`).waitFor();
    const confirm = page.getByRole("button", { name: /^(Confirm|Second fill)/ });
    if (turn % 5 === 4 || (await confirm.isDisabled())) {
      await page.keyboard.press("r");
      await page.getByRole("textbox", { name: "Reason" }).waitFor();
      await page.keyboard.type(`not ours ${turn}`);
      await page.keyboard.press("Enter");
      return "reject";
    }
    if (turn % 3 === 2) {
      await moveTo(page, "[data-field=reference]");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Reference" }).waitFor();
      await page.keyboard.press("Control+A");
      await page.keyboard.type(`KEYS-${turn}`);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /with 1 change/ }).waitFor();
    }
    await page.keyboard.press("c");
    // While a sum does not fit, it asks again.
    const again = page.getByText(/Press C again/);
    const isGone = () => !page.url().endsWith(`/${id}`);
    await expect
      .poll(async () => isGone() || (await again.isVisible()), { message: `turn ${turn}` })
      .toBe(true);
    if (!isGone()) await page.keyboard.press("c");
    return turn % 3 === 2 ? "correct" : "accept";
  }

  /** Goes on to the next of these questions; from the last of the queue it starts again at its top. */
  async function nextOf(page: Page, ids: ReadonlySet<number>): Promise<number> {
    for (;;) {
      const id = Number(/\d*$/.exec(page.url())![0]);
      if (ids.has(id)) return id;
      if (id > 0) {
        await page.keyboard.press("j");
        // Pressed again, as a person does, if it fell between two pages.
        if (!(await isElsewhere(page, id))) await page.keyboard.press("q");
        continue;
      }
      await page.getByRole("button", { name: /^Start review/ }).waitFor();
      await page.keyboard.press("s");
      await page.waitForURL(/\/review\/\d+/);
    }
  }

  describe("without a mouse", () => {
    it(`a reviewer answers ${QUESTIONS} questions, each once and as meant`, async () => {
      const ids = new Set(await askMany(QUESTIONS));
      const { page, said } = await get().open("Omar Haddad", "/review");
      await page.getByRole("button", { name: /^Start review/ }).waitFor();
      await page.keyboard.press("s");
      await page.waitForURL(/\/review\/\d+/);
      const meant = new Map<number, string>();
      while (ids.size > 0) {
        const id = await nextOf(page, ids);
        meant.set(id, await answer(page, id, meant.size));
        await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
        ids.delete(id);
      }
      const found = new Map<number, string>();
      await until("every answer to be carried out", async () => {
        for (const id of meant.keys()) {
          const { status, decision } = await loadQuestion(get(), id);
          if (status === "applied") found.set(id, decision!.action);
        }
        return found.size === meant.size;
      });
      expect(found).toEqual(meant);
      expect(said).toEqual([]);
      await page.context().close();
    }, 900_000);

    it("an operator finds dead letters, sees what a replay would do, and replays them", async () => {
      const cause = await addDeadLetters(get(), { count: 3, message: "the printer is on fire" });
      const { page, said } = await get().open("Nina Berg");
      await page.keyboard.press("g");
      await page.keyboard.press("l");
      await page.getByRole("heading", { level: 1, name: "Dead letters" }).waitFor();
      const row = page.getByRole("button", { name: /^the printer is on fire/ });
      await row.waitFor();
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

    it("the keys of a question rest while a dialog asks for a reason", async () => {
      const { id } = await askAbout(get(), "resting.pdf", { seed: "resting", kind: "sell" });
      const { page } = await get().open("Omar Haddad", `/review/${id}`);
      await page.locator(`[data-question="${id}"] [data-focused]`).waitFor();
      await page.keyboard.press("r");
      await page.getByRole("textbox", { name: "Reason" }).waitFor();
      const back = page.getByRole("button", { name: "Back" });
      await back.focus();
      for (const key of ["c", "c", "n", "j"]) await page.keyboard.press(key);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(page.url()).toMatch(new RegExp(`/review/${id}$`));
      expect(await loadQuestion(get(), id)).toMatchObject({ status: "open" });
      await page.context().close();
    });

    it("a dialog begins in its first field, and Enter sends it", async () => {
      const { page, said } = await get().open("Omar Haddad", "/senders");
      await page.getByRole("button", { name: "Approve sender" }).press("Enter");
      await expect
        .poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent"))
        .toBe("Address or domain");
      await page.keyboard.type("@keys.example");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "@keys.example" }).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });

    it("y copies the link to the page, and says so", async () => {
      const { page } = await get().open("Nina Berg", "/trades?status=confirmed");
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("heading", { level: 1, name: "Trades" }).waitFor();
      await page.keyboard.press("y");
      await page.getByText("Link copied.").waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(page.url());
      await page.context().close();
    });

    it("the palette keeps in sight what the arrows choose", async () => {
      const { page } = await get().open("Nina Berg");
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: "Overview" }).waitFor();
      for (let step = 0; step < 20; step++) await page.keyboard.press("ArrowDown");
      const chosen = page.getByRole("option", { selected: true });
      expect(await chosen.innerText()).toMatch(/^Tenant/);
      const isSeen = `(() => {
        const row = document.querySelector("[role=option][aria-selected=true]").getBoundingClientRect();
        const list = document.querySelector("[role=listbox]").getBoundingClientRect();
        return row.top >= list.top && row.bottom <= list.bottom;
      })()`;
      expect(await page.evaluate(isSeen)).toBe(true);
      await page.context().close();
    });

    it("the palette also does things: another theme is two words away", async () => {
      const { page } = await get().open("Nina Berg");
      const theme = () => page.locator("html").getAttribute("data-theme");
      expect(await theme()).toBe("light");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("dark theme");
      await page.getByRole("option", { name: /^Use the dark theme/ }).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(theme).toBe("dark");
      await page.context().close();
    });

    it("a replay that ends while its reader is elsewhere says so", async () => {
      const cause = await addDeadLetters(get(), { count: 2, message: "the fax is out of paper" });
      const { page } = await get().open("Nina Berg", `/dead-letters?cause=${cause}`);
      await page.getByRole("complementary", { name: "2 dead letters" }).waitFor();
      await page.keyboard.press("r");
      await page.getByText("2 jobs would run again; 0 cannot be replayed.").waitFor();
      // How it ended is known only once the reader is elsewhere.
      let release = (): void => {};
      const elsewhere = new Promise<void>((done) => {
        release = done;
      });
      await page.route("**/api/dlq/replays/**", (route) => elsewhere.then(() => route.continue()));
      await page.keyboard.type("there is paper");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/replays\//);
      await page.keyboard.press("g");
      await page.keyboard.press("o");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      release();
      await page.getByText("Replay finished: 2 of 2.").waitFor();
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

/** From the last field up to this one. */
async function moveTo(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowDown");
  for (let press = 0; press < 20; press++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press("ArrowUp");
  }
  throw new Error(`the arrows do not reach ${selector}`);
}

async function isFocused(page: Page, name: RegExp): Promise<boolean> {
  const label = await page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''");
  return name.test(String(label));
}

/** Whether the page has left this question; one that stays is the last of the queue. */
async function isElsewhere(page: Page, id: number): Promise<boolean> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  return !page.url().endsWith(`/${id}`);
}
