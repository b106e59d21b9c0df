/** The page that controls the local tenant, and that the browser learns nothing of it that it need not know. */
import { describe, expect, it } from "vitest";
import type { Console } from "./open-console.ts";

export function testTenant(get: () => Console): void {
  describe("the tenant's page", () => {
    it("is not offered to a reviewer", async () => {
      const { page } = await get().open("Omar Haddad");
      const nav = page.getByRole("navigation", { name: "Pages" }).first();
      expect(await nav.getByRole("link", { name: "Review" }).count()).toBe(1);
      expect(await nav.getByRole("link", { name: "Tenant" }).count()).toBe(0);
      await page.context().close();
    });

    it("lets mail arrive, arms a fault that every page mentions, and clears it", async () => {
      const { page, said } = await get().open("Nina Berg", "/tenant");
      await page.getByRole("combobox", { name: "To" }).selectOption("settlements@ashdown.example");
      await page.getByRole("combobox", { name: "Message" }).selectOption("letter");
      await page.getByRole("textbox", { name: "Subject" }).fill("Lunch <b>today</b>");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Sent “Lunch <b>today</b>” to settlements@ashdown.example.").waitFor();

      await page.getByRole("combobox", { name: "What goes wrong" }).selectOption("expire-delta");
      await page.getByRole("button", { name: "Arm the fault" }).click();
      await page
        .getByRole("list", { name: "Armed faults" })
        .getByText("Delta links expire")
        .waitFor();
      await page.getByRole("link", { name: "A fault is armed" }).waitFor();
      await page.getByRole("button", { name: "Clear all" }).click();
      await page.getByText("No fault is armed: the tenant behaves.").waitFor();

      await page.getByRole("button", { name: "Play" }).nth(1).click();
      await page.getByText("“A forged sender” has run.").waitFor();
      expect(said).toEqual([]);
      await page.context().close();
      const owner = await get().open("Settlements", "/events");
      await owner.page.getByText("Lunch <b>today</b>").first().waitFor();
      await owner.page.context().close();
    });
  });
}
