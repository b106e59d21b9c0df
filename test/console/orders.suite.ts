/** An import of orders is shown before it is written. */
import { describe, expect, it } from "vitest";
import type { Console } from "./open-console.ts";

const HEAD = "reference,username,direction,quantity,placedOn";

export function testOrders(get: () => Console): void {
  describe("an import of orders", () => {
    it("shows what it would add and change, and writes it only when it is told to", async () => {
      const { page, said } = await get().open("Nina Berg", "/orders");
      const choose = async (...lines: string[]) => {
        await page.getByRole("button", { name: "Import CSV" }).click();
        const buffer = Buffer.from([HEAD, ...lines, ""].join("\n"));
        await page
          .getByLabel("Choose a CSV file")
          .setInputFiles({ name: "orders.csv", mimeType: "text/csv", buffer });
      };
      const preview = page.getByRole("list", { name: "What would change" }).getByRole("listitem");
      await choose("SEEN-1,nina,BUY,10,2026-02-02");
      await page.getByText("1 would be added, 0 changed, 0 stay as they are.").waitFor();
      expect(await preview.allInnerTexts()).toEqual(["SEEN-1\nnew"]);
      // A browser tells of a file that is chosen again, such as a corrected one, only if the box is empty.
      expect(await page.locator("[role=dialog] input[type=file]").inputValue()).toBe("");
      const { orders } = await get().ask<{ orders: object[] }>("/api/orders");
      expect(orders).toEqual([]);
      await page.getByRole("button", { name: "Import 1" }).click();
      await page.getByText("SEEN-1", { exact: true }).waitFor();

      await choose("SEEN-1,nina,BUY,12,2026-02-02");
      await page.getByText("0 would be added, 1 changed, 0 stay as they are.").waitFor();
      expect(await preview.allInnerTexts()).toEqual(["SEEN-1\nquantity 10 → 12"]);
      await page.keyboard.press("Escape");

      await choose("SEEN-1,nina,BUY,10,2026-02-02");
      await page.getByText("There is nothing to import.").waitFor();
      expect(await page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(
        true,
      );
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
