/** A trade that may execute one of several orders: the reviewer says which, with one key. */
import { describe, expect, it } from "vitest";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";
import { askAbout, decide, loadQuestion } from "./questions.ts";

interface Row {
  readonly id: number;
  readonly tradeId: string;
}

export function testOrderQuestion(get: () => Console): void {
  describe("a question about an order", () => {
    it("shows the trade and the open orders of its person, and 1 links the first", async () => {
      const asked = await askAbout(get(), "ordered.pdf", {
        ...{ seed: "ordered", kind: "buy", language: "en" },
      });
      const { line } = await loadQuestion(get(), asked.id);
      // Whose trade it is decides whose orders can be meant.
      const book = (id: number) =>
        decide(get(), id, { action: "accept" }).then((answered) => answered.line.tradeId!);
      const whose = async (tradeId: string) =>
        (await get().ask<{ username: string }>(`/api/trades/${tradeId}`)).username;
      const username = await whose(await book(asked.id));
      await get().ask("/api/orders", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...{ reference: "ORDER-Q", username, direction: "BUY", isin: line.facts["isin"] },
          ...{ quantity: 999_999, placedOn: "2026-01-01" },
        }),
      });
      const again = await askAbout(get(), "ordered-again.pdf", {
        ...{ seed: "ordered", kind: "buy", language: "en", reference: "ORDERED-2" },
      });
      const tradeId = await book(again.id);
      const question = await until("the question about the order", async () => {
        const { reviews } = await get().ask<{ reviews: Row[] }>(
          "/api/reviews?subject=order&limit=1000",
        );
        return reviews.find((row) => row.tradeId === tradeId);
      });
      const { page, said } = await get().open("Omar Haddad", `/review/${question.id}`);
      await page.getByText("Which order is it?").waitFor();
      await page.getByRole("region", { name: "The trade" }).getByText("Buy").waitFor();
      const orders = page.getByRole("region", { name: "Open orders" }).getByRole("listitem");
      await expect.poll(() => orders.count()).toBe(1);
      expect(await orders.innerText()).toMatch(/ORDER-Q/);
      expect(await page.getByText(/Give another file/).count()).toBe(0);
      await page.keyboard.press("1");
      await page.getByText(/^Linked /).waitFor();
      const trade = await get().ask<{ order: { reference: string } | null }>(
        `/api/trades/${tradeId}`,
      );
      expect(trade.order?.reference).toBe("ORDER-Q");
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
