/** Filing by drop, with pause and resume, and what the page of a document shows. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Console } from "./open-console.ts";

/** Two chunks: what Postroom accepts in one request is 10 MiB. */
const BYTES = 11 * 1024 * 1024;

export function testDocuments(get: () => Console): void {
  describe("a file that is dropped on the page", () => {
    it("can be paused after its first chunk, is resumed where it stopped, and is recorded whole", async () => {
      const { page, said } = await get().open("Nina Berg", "/documents");
      await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
      const ranges: string[] = [];
      let hold: (() => void) | null = null;
      const held = new Promise<void>((reached) => {
        void page.route("**/upload/session/*", async (route) => {
          const range = route.request().headers()["content-range"];
          if (range === undefined) return route.continue();
          ranges.push(range);
          // The second chunk waits on the line until somebody pauses it.
          if (ranges.length !== 2) return route.continue();
          await new Promise<void>((release) => {
            hold = release;
            reached();
          });
          return route.abort().catch(() => {});
        });
      });
      await drop(page, "minutes.bin", BYTES);
      await held;
      await page.getByRole("button", { name: "Pause minutes.bin" }).click();
      await page.getByText("Paused", { exact: true }).waitFor();
      hold!();
      await page.getByRole("button", { name: "Resume minutes.bin" }).click();
      await page.getByRole("button", { name: /^minutes\.bin, Recorded/ }).waitFor();
      expect(await page.getByRole("list", { name: "Uploads" }).count()).toBe(0);
      const first = 10 * 1024 * 1024;
      expect(ranges).toEqual([
        `bytes 0-${first - 1}/${BYTES}`,
        `bytes ${first}-${BYTES - 1}/${BYTES}`,
        `bytes ${first}-${BYTES - 1}/${BYTES}`,
      ]);
      const { documents } = await get().ask<{ documents: { name: string; size: number }[] }>(
        "/api/documents?limit=1000",
      );
      expect(documents.filter(({ name }) => name === "minutes.bin")).toMatchObject([
        { size: BYTES },
      ]);
      expect(said).toEqual([]);
      await page.context().close();
    });

    it("has a page with its versions, who may open it, and its history", async () => {
      const { page, said } = await get().open("Nina Berg", "/documents");
      await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
      await drop(page, "agenda.txt", 5);
      await page.getByRole("button", { name: /^agenda\.txt, Recorded/ }).click();
      await page.getByRole("link", { name: "Open", exact: true }).click();
      await page.getByText("Version 1.0, current").waitFor();
      await page.getByText("Who may open it").waitFor();
      await page
        .getByText(/can (edit|read|manage)|owner/)
        .first()
        .waitFor();
      await page.getByText("Record created").waitFor();
      await page.getByText(/uploaded in chunks/).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}

/** What a browser does with a file that a person drops. */
async function drop(page: Page, name: string, bytes: number): Promise<void> {
  const file = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(${bytes}).fill(120)], ${JSON.stringify(name)}));
    return data;
  })()`);
  await page
    .getByRole("region", { name: "Drop files to file them" })
    .dispatchEvent("drop", { dataTransfer: file });
}
