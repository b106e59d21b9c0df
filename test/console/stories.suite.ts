/** The first hour of people with `postroom up`: they judge us by it. */
import { describe, expect, it } from "vitest";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";

const OPERATIONS = "operations@ashdown.example";
const SETTLEMENTS = "settlements@ashdown.example";

export function testStories(get: () => Console): void {
  describe("in the first hour", () => {
    it("legal files a document by dropping it, finds it recorded, and a colleague without rights does not see it", async () => {
      const { page, said } = await get().open("Priya Nair", "/documents");
      await page
        .getByLabel("File a document")
        .setInputFiles({ name: "lease.txt", mimeType: "text/plain", buffer: Buffer.from("rent") });
      await page.getByRole("button", { name: /^lease\.txt, / }).click();
      const drawer = page.getByRole("complementary", { name: "lease.txt" });
      await drawer.getByText(/documents\/lease\.txt/).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
      const colleague = await get().open("Settlements", "/documents");
      await colleague.page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
      await expect.poll(() => colleague.page.locator("main [aria-busy]").count()).toBe(0);
      expect(await colleague.page.getByText("lease.txt").count()).toBe(0);
      await colleague.page.context().close();
    });

    it("an engineer sees the doctor's exact fix, loses every notification, and the audit finds nothing missing", async () => {
      const { page, said } = await get().open("Nina Berg", "/settings");
      await page.getByRole("heading", { level: 2, name: /passed|failed/ }).waitFor();
      await get().steer("/faults", {
        kind: "drop-notification",
        where: { mailbox: SETTLEMENTS },
        times: 2,
      });
      await get().steer("/mail", { to: SETTLEMENTS, subject: "Nobody tells you about me" });
      await page.goto(`${get().url}/mailboxes/${SETTLEMENTS}`);
      await page.getByRole("button", { name: "Read all folders again" }).click();
      await page.getByText("Every folder will be read again from the start.").waitFor();
      await until("delta to rescue it", async () => {
        const { events } = await get().ask<{ events: { subject: string }[] }>(
          `/api/events?mailbox=${SETTLEMENTS}&text=Nobody`,
        );
        return events.length > 0;
      });
      await page.goto(`${get().url}/events?mailbox=${SETTLEMENTS}&text=Nobody`);
      await page.getByText("Nobody tells you about me").first().waitFor();
      await page.goto(`${get().url}/mailboxes/${SETTLEMENTS}`);
      await page.getByRole("button", { name: "Audit", exact: true }).click();
      await page.getByText(/in the mailbox, \d+ in the log: they match\./).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });

    it("a developer arms a storm of 429 and watches mail arrive all the same, with every step in its trace", async () => {
      await get().steer("/faults", {
        kind: "throttle",
        where: { part: "graph" },
        times: 5,
        options: { retryAfterSeconds: 1 },
      });
      await get().steer("/mail", { to: OPERATIONS, subject: "Through the storm" });
      const { page, said } = await get().open("Nina Berg", `/events?mailbox=${OPERATIONS}`);
      const { events } = await until("the event", async () => {
        const found = await get().ask<{ events: { seq: number }[] }>(
          `/api/events?mailbox=${OPERATIONS}&text=storm`,
        );
        return found.events.length > 0 ? found : null;
      });
      await page.goto(`${get().url}/events?mailbox=${OPERATIONS}&event=${events[0]!.seq}`);
      await page.getByRole("complementary", { name: "Arrived" }).waitFor();
      await page.keyboard.press("t");
      await page.waitForURL(/\/trace\//);
      await page.getByText("Arrived in Inbox").waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
