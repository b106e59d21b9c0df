/** What becomes of an answer: taken back, given too late, given beside a booked trade or for a page that nobody could read. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import { type Console, goTo } from "./open-console.ts";
import { askAbout, askAboutFill, decide, loadQuestion, type ReviewRow } from "./questions.ts";

const NOTE = { kind: "buy", language: "en" } as const;

async function holdConfirm(page: Page, isNext: () => Promise<void>): Promise<void> {
  await page.keyboard.down("c");
  await isNext();
  await page.keyboard.down("c");
  await page.keyboard.up("c");
}

async function doubleClickConfirm(page: Page, isNext: () => Promise<void>): Promise<void> {
  await page.getByRole("button", { name: /^Confirm/ }).hover();
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await isNext();
  await page.getByRole("button", { name: /^(Confirm|Second fill)/ }).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}

export function testAnswers(get: () => Console): void {
  async function type(page: Page, field: string, text: string): Promise<void> {
    await page.locator(`[data-field=${field}]`).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }

  const untilApplied = (id: number) =>
    until(`the answer to question ${id}`, async () => {
      const question = await loadQuestion(get(), id);
      return question.status === "applied" && question;
    });

  describe("an answer", () => {
    it.each([
      ["r", "Rejected", "reject"],
      ["n", "Not a note:", "not-a-note"],
    ])(
      "that was given with the wrong key, %s, is taken back with u, and its question opens again",
      async (key, words, action) => {
        const { id } = await askAbout(get(), `${action}.pdf`, { ...NOTE, seed: action });
        // The next question has a field for a password, which must not take the key.
        const locked = { ...NOTE, seed: `after-${action}`, variant: "encrypted" } as const;
        await askAbout(get(), `after-${action}.pdf`, locked);
        const { page, said } = await get().open("Omar Haddad", `/review/${id}`);
        await page.locator("[data-focused]").waitFor();
        await page.keyboard.press(key);
        await page.getByRole("textbox", { name: "Reason" }).waitFor();
        await page.keyboard.type("the wrong key");
        await page.keyboard.press("Enter");
        await page.getByText(words).waitFor();
        await page.getByLabel("Password of the file").waitFor();
        expect((await untilApplied(id)).decision).toMatchObject({ action });
        await page.keyboard.press("u");
        await page.getByRole("heading", { level: 1, name: `${action}.pdf` }).waitFor();
        const again = Number(/\d+$/.exec(page.url())![0]);
        expect(again).not.toBe(id);
        expect(await loadQuestion(get(), again)).toMatchObject({ status: "open" });
        await page.getByText("Taken back: undone in review.").waitFor();
        expect(said).toEqual([]);
        await page.context().close();
      },
    );

    it.each([
      ["key that is held down", holdConfirm],
      ["double click", doubleClickConfirm],
    ])(
      "with a %s is about the question that its reader sees, not about the next one, too",
      async (how, confirm) => {
        const { id } = await askAbout(get(), "once.pdf", { ...NOTE, seed: `once, ${how}` });
        await askAbout(get(), "not-twice.pdf", { ...NOTE, seed: `not twice, ${how}` });
        const { page } = await get().open("Omar Haddad", `/review/${id}`);
        await page.locator(`[data-question="${id}"] [data-focused]`).waitFor();
        const asked: string[] = [];
        page.on("request", (request) => {
          if (request.url().endsWith("/decision")) asked.push(new URL(request.url()).pathname);
        });
        await confirm(page, async () => {
          await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
          await page.locator("[data-question] [data-focused]").waitFor();
        });
        await untilApplied(id);
        expect(asked).toEqual([`/api/reviews/${id}/decision`]);
        await page.context().close();
      },
    );

    it("that comes after somebody else's says who decided what, and shows what was typed beside what counts", async () => {
      const { id } = await askAbout(get(), "late.pdf", { ...NOTE, seed: "late" });
      const { page } = await get().open("Omar Haddad", `/review/${id}`);
      await page.locator("[data-focused]").waitFor();
      await type(page, "reference", "TOO-LATE");
      await page.getByRole("button", { name: /^Confirm with 1 change/ }).waitFor();
      // Until the answer is given, the page has not looked again.
      const before = await loadQuestion(get(), id);
      const own = new RegExp(`/api/reviews/${id}$`);
      await page.route(own, (route) => route.fulfill({ json: before }));
      await decide(get(), id, { action: "reject", reason: "not ours" });
      await page.keyboard.press("c");
      await page.getByRole("link", { name: "Not booked: TOO-LATE" }).waitFor();
      await page.unroute(own);
      await page.getByRole("link", { name: "Not booked: TOO-LATE" }).click();
      await page.getByText("The operator rejected this.").waitFor();
      await page.getByText("Your change was not used.").waitFor();
      await page.getByRole("row", { name: /^Reference TOO-LATE/ }).waitFor();
      await page.getByRole("button", { name: "Next question" }).click();
      await page.getByRole("link", { name: "Not booked: TOO-LATE" }).waitFor({ state: "detached" });
      await page.context().close();
    });

    it("of somebody else is shown to a reader who has not answered yet", async () => {
      const { id } = await askAbout(get(), "meanwhile.pdf", { ...NOTE, seed: "meanwhile" });
      const { page } = await get().open("Omar Haddad");
      await page.clock.install();
      await goTo(page, `/review/${id}`);
      await page.locator("[data-focused]").waitFor();
      await decide(get(), id, { action: "reject", reason: "not ours" });
      await page.clock.fastForward(10_000);
      await page.getByText("The operator rejected this.").waitFor();
      await page.context().close();
    });

    it("can be reached where the page is low, as on a phone on its side or at twice the size", async () => {
      const { id } = await askAboutFill(get(), "low", "4711-000009");
      const { page } = await get().open("Omar Haddad", `/review/${id}`);
      await page.locator("[data-focused]").waitFor();
      for (const size of [
        { width: 640, height: 450 },
        { width: 844, height: 390 },
      ]) {
        await page.setViewportSize(size);
        await page.locator("[data-field=reference]").hover();
        const confirm = page.getByRole("button", { name: "Second fill, book it" });
        await until(`the button on ${size.width} × ${size.height}`, async () => {
          await page.mouse.wheel(0, 2_000);
          const box = (await confirm.boundingBox())!;
          return box.y >= 0 && box.y + box.height <= size.height;
        });
      }
      await page.context().close();
    });

    it("about a trade that may be booked already is given beside that trade, whose note is one key away", async () => {
      const { id, tradeId } = await askAboutFill(get(), "beside", "4711-000002");
      const { page, said } = await get().open("Omar Haddad", `/review/${id}`);
      const beside = page.getByRole("region", { name: "The booked trade" });
      await beside.getByRole("row", { name: /First Wording plc/ }).waitFor();
      await page.getByRole("row", { name: /^Reference (\S+) \1$/ }).waitFor();
      await page.getByRole("region", { name: "Page 1 of beside-second.pdf" }).waitFor();
      await page.keyboard.press("o");
      await page.getByRole("region", { name: "Page 1 of beside-first.pdf" }).waitFor();
      await page.keyboard.press("o");
      await page.getByRole("region", { name: "Page 1 of beside-second.pdf" }).waitFor();
      await page.keyboard.press("l");
      const { line } = await untilApplied(id);
      expect(line.tradeId).toBe(tradeId);
      expect(said).toEqual([]);
      await page.context().close();
    });

    it("to a note of a new sender can approve the sender at once", async () => {
      const from = "desk@new-broker.example";
      const { pdf } = await makeNote({ ...NOTE, seed: "new-sender" });
      await get().steer("/mail", {
        ...{ to: "operations@ashdown.example", from, subject: "Our first note", auth: "pass" },
        attachments: [
          {
            ...{ name: "new-sender.pdf", contentType: "application/pdf" },
            contentBytes: pdf.toString("base64"),
          },
        ],
      });
      const question = await until("the question", async () => {
        const { reviews } = await get().ask<{ reviews: ReviewRow[] }>("/api/reviews?limit=1000");
        return reviews.find(({ about }) => about.file === "new-sender.pdf");
      });
      const { page } = await get().open("Omar Haddad", `/review/${question.id}`);
      await page.getByText("Do you trust the sender?").waitFor();
      await page.getByRole("button", { name: "Approve sender" }).waitFor();
      await page.keyboard.press("p");
      await until("the approval", async () => {
        const { senders } = await get().ask<{ senders: { pattern: string }[] }>("/api/senders");
        return senders.some(({ pattern }) => pattern === from);
      });
      await page.context().close();
    });

    it("about a page that nobody could read is typed in, and booked", async () => {
      const { id } = await askAbout(get(), "typed.pdf", {
        ...{ ...NOTE, seed: "typed", variant: "encrypted" },
      });
      const { page, said } = await get().open("Omar Haddad", `/review/${id}`);
      await page.getByLabel("Password of the file").waitFor();
      const book = page.getByRole("button", { name: /^Book this trade/ });
      expect(await book.isDisabled()).toBe(true);
      await type(page, "direction", "buy");
      await type(page, "quantity", "3");
      await type(page, "price", "400");
      await type(page, "priceCurrency", "usd");
      await type(page, "isin", "US5949181045");
      await type(page, "tradeDate", "2026-02-04");
      await type(page, "net", "1200");
      await type(page, "currency", "usd");
      await type(page, "reference", "TYPED-1");
      await expect.poll(() => book.isDisabled()).toBe(false);
      await page.locator("[data-field=name]").focus();
      await page.keyboard.press("c");
      await page.getByText("Confirmed TYPED-1").waitFor();
      await untilApplied(id);
      const { trades } = await get().ask<{ trades: { reference: string; quantity: number }[] }>(
        "/api/trades?limit=1000",
      );
      expect(trades.filter(({ reference }) => reference === "TYPED-1")).toMatchObject([
        { quantity: 3 },
      ]);
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
