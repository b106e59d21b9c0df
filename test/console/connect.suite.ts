/** A person lets Postroom read their own mailbox, in a real browser and through the tenant's own sign-in. */
import { describe, expect, it } from "vitest";
import type { Console } from "./open-console.ts";

const PRIYA = "priya.nair@ashdown.example";

export function testConnect(get: () => Console): void {
  describe("a person's own mailbox", () => {
    it("is connected through the sign-in of Entra, and its page says so in words", async () => {
      const watched = await get().open("Priya Nair", "/my-mailbox");
      await watched.page.getByText("with the permission of an administrator").waitFor();
      expect(await watched.page.getByRole("button", { name: /^Connect/ }).count()).toBe(0);
      await watched.page.context().close();

      await get().ask(`/api/mailboxes/${PRIYA}`, { method: "DELETE" });
      const { page, said } = await get().open("Priya Nair", "/my-mailbox");
      await page.getByText("Your mailbox is not connected.").waitFor();
      await page.getByRole("button", { name: "Connect my mailbox" }).click();
      await page.getByLabel("Account").fill(PRIYA);
      await page.getByLabel("Password").fill("Passw0rd!");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: `${PRIYA} is connected.` }).waitFor();
      said.splice(0); // the page of Entra is not ours
      await page.getByRole("link", { name: "see your mailbox in Postroom" }).click();
      await page.getByText("Postroom reads it because you allowed it.").waitFor();
      await page.getByText("Connected", { exact: true }).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
