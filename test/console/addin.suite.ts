/** The pane of Outlook as `postroom up` shows it, in a real browser, on a page that plays Outlook. */
import type { FrameLocator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { seriousFlaws } from "./axe.ts";
import type { Console } from "./open-console.ts";

export const PERSON = /Nina Berg/;

export async function openHost(
  app: Console,
  options = {},
): Promise<{ page: Page; pane: FrameLocator; said: string[] }> {
  const { page, said } = await app.open(null, "/addin/host.html", options);
  return { page, said, pane: page.frameLocator("iframe") };
}

export async function signIn(pane: FrameLocator): Promise<void> {
  await pane.getByRole("button", { name: PERSON }).click();
}

interface Documents {
  readonly documents: { id: string; source: string; name: string; state: string }[];
}
export const findSaved = async (app: Console) =>
  (await app.ask<Documents>("/api/documents?limit=1000")).documents.filter(
    ({ source }) => source === "office",
  );

export function testAddin(get: () => Console): void {
  describe("the pane of Outlook", () => {
    it("saves a mail with two of three attachments to the suggested matter, once", async () => {
      const app = get();
      const { page, pane, said } = await openHost(app, { locale: "en-GB" });
      await signIn(pane);
      const matter = pane.getByRole("radio", { name: /Harbour warehouse/ });
      await matter.waitFor();
      expect(await matter.isChecked()).toBe(true); // its number stands in the subject
      await pane.getByRole("checkbox", { name: /Keys\.csv/ }).uncheck();
      await pane.getByRole("button", { name: "Save", exact: true }).click();
      await pane.getByText("Saved.").waitFor();
      await pane.getByText("100 %").waitFor();
      expect(await pane.getByRole("link", { name: "Open" }).first().getAttribute("href")).toMatch(
        /^https?:/,
      );
      const documents = await findSaved(app);
      expect(documents.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
        "2026-02-16_M-2026-001_Lease_of_the_harbour_warehouse,_signed.eml recorded",
        "Floor plan.txt recorded",
        "Lease.txt recorded",
      ]);
      const found = await app.ask<{ record: { sprk_documentid: string } | null }>(
        `/api/documents/${documents[0]!.id}`,
      );
      expect(found.record).not.toBeNull();

      // The same again, and then with another choice, which is another request for the same mail.
      await pane.getByRole("button", { name: "Save", exact: true }).click();
      await pane.getByText("This was already saved.").waitFor();
      await pane.getByRole("checkbox", { name: /Keys\.csv/ }).check();
      await pane.getByRole("button", { name: "Save", exact: true }).click();
      await pane.getByText("This was already saved.").waitFor();
      expect(await findSaved(app)).toHaveLength(3);

      await page.getByRole("button", { name: "Lunch on Thursday?" }).click();
      await page.getByRole("button", { name: /Lease of the harbour/ }).click();
      await signIn(pane);
      await pane.getByText("Already saved in Harbour warehouse.").waitFor();
      // The second and third save are refusals that the browser also reports.
      expect(said.filter((line) => !/409 \(Conflict\)/.test(line))).toEqual([]);
      await page.context().close();
    });

    it("works with the keyboard, in German, at 320 pixels, and axe finds nothing serious in both themes", async () => {
      const app = get();
      for (const colorScheme of ["light", "dark"] as const) {
        const { page } = await app.open(
          null,
          "/addin/index.html?host=play&mail=fee&language=de-DE",
          {
            colorScheme,
            viewport: { width: 320, height: 700 },
          },
        );
        await page.getByRole("button", { name: PERSON }).focus();
        await page.keyboard.press("Enter");
        const search = page.getByRole("searchbox", { name: "Akten, Projekte, Mandanten suchen" });
        await search.focus();
        await page.keyboard.type("Brown");
        const matter = page.getByRole("radio", { name: /Brown v\. Smith/ });
        await matter.focus();
        await page.keyboard.press("Space");
        expect(await matter.isChecked()).toBe(true);
        const width = (await page.evaluate("document.documentElement.scrollWidth")) as number;
        expect(width).toBeLessThanOrEqual(320);
        expect(await seriousFlaws(page)).toEqual([]);
        await page.context().close();
      }
    });

    it("weighs at most 120 KB in Brotli when it is loaded first", async () => {
      const app = get();
      const { page } = await app.open(null, "/addin/index.html?host=play&mail=fee");
      await page.getByRole("button", { name: PERSON }).waitFor();
      const sizes = (await page.evaluate(
        "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map((e) => e.encodedBodySize)",
      )) as number[];
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      console.info(`first load of the pane: ${bytes} bytes`);
      expect(bytes).toBeGreaterThan(20_000);
      expect(bytes).toBeLessThanOrEqual(120_000);
      await page.context().close();
    });

    it("has manifests whose addresses all answer, allows nothing inline, and may be framed by Office only", async () => {
      const app = get();
      for (const path of ["manifest.json", "manifest-outlook.xml", "manifest-documents.xml"]) {
        const text = await (await fetch(`${app.url}/addin/${path}`)).text();
        const addresses = [...text.matchAll(/"(http:\/\/127[^"]+)"/g)].map((match) => match[1]!);
        expect(addresses.length).toBeGreaterThan(5);
        for (const address of new Set(addresses))
          expect([address, (await fetch(address)).status]).toEqual([address, 200]);
      }
      const pane = await fetch(`${app.url}/addin/index.html`);
      expect(pane.headers.get("content-security-policy")).toMatch(
        /script-src 'self' https:\/\/appsforoffice\.microsoft\.com; style-src 'self';.*frame-ancestors 'self' https:\/\/\*\.office\.com/,
      );
    });
  });
}
