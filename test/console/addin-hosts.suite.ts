/** The pane beside a mail that is being written, and in Word, Excel and PowerPoint. */
import { describe, expect, it } from "vitest";
import { findSaved, openHost, signIn } from "./addin.suite.ts";
import { seriousFlaws } from "./axe.ts";
import type { Console } from "./open-console.ts";

export function testAddinHosts(get: () => Console): void {
  describe("the pane", () => {
    it("saves a mail that is being written, and adds a document to it as a link and as a file", async () => {
      const app = get();
      const { page, pane, said } = await openHost(app, { locale: "en-GB" });
      await page.getByRole("button", { name: /^Draft: / }).click();
      await signIn(pane);
      await pane.getByRole("radio", { name: /Harbour warehouse/, checked: true }).waitFor();
      await pane.getByRole("button", { name: "Save", exact: true }).click();
      await pane.getByText("Saved.").waitFor();
      const names = (await findSaved(app)).map(({ name }) => name);
      expect(names).toContain("Receipt.txt");
      expect(names.filter((name) => /Keys_of_the_harbour_warehouse\.eml$/.test(name))).toHaveLength(
        1,
      );

      await pane.getByRole("searchbox", { name: "Search documents" }).fill("Receipt");
      const found = pane.getByRole("group", { name: "Receipt.txt" });
      await found.getByRole("button", { name: "Insert link" }).click();
      const added = page.getByRole("article");
      await added.getByText(/^<a href="http[^"]+">Receipt\.txt<\/a>$/).waitFor();
      await found.getByRole("button", { name: "Attach" }).click();
      await added.getByText("Receipt.txt: 18 bytes").waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });

    it.each([
      ["Word", "Draft lease.docx"],
      ["Excel", "Rent.xlsx"],
      ["PowerPoint", "Plan.pptx"],
    ])("saves the document that is open in %s", async (host, fileName) => {
      const app = get();
      const { page, pane, said } = await openHost(app, { locale: "en-GB" });
      await page.getByRole("button", { name: `${host}: ${fileName}` }).click();
      await signIn(pane);
      await pane.getByRole("searchbox").fill("Harbour");
      await pane.getByRole("radio", { name: /Harbour warehouse/ }).check();
      await pane.getByRole("button", { name: "Save", exact: true }).click();
      await pane.getByText("Saved.").waitFor();
      const found = (await findSaved(app)).filter(({ name }) => name === fileName);
      expect(found).toMatchObject([{ state: "recorded" }]);
      expect(said).toEqual([]);
      await page.context().close();
    });

    it("shows a deep analysis as text once it is written, if one is wanted", async () => {
      const { page, pane, said } = await openHost(get(), { locale: "en-GB" });
      await page.getByRole("button", { name: "Word: Draft lease.docx" }).click();
      await signIn(pane);
      await pane.getByRole("searchbox").fill("Brown");
      await pane.getByRole("radio", { name: /Brown v\. Smith/ }).check();
      await pane.getByRole("checkbox", { name: "Also analyse in depth" }).check();
      await pane.getByRole("button", { name: "Save", exact: true }).click();
      const analysis = pane.getByRole("region", { name: "Analysis" });
      await analysis.getByText("Draft lease.docx").waitFor();
      await analysis.getByText("It is a lease. ‹img src=x").waitFor();
      expect(await pane.locator("img").count()).toBe(0);
      expect(await seriousFlaws(page)).toEqual([]);
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
