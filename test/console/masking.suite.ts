/** With `MASK_MAIL`, a page shows nothing of other people's mail until somebody reveals it, which is logged. */
import { describe, expect, it } from "vitest";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";

const SETTLEMENTS = "settlements@ashdown.example";
const SUBJECT = "Only for the desk";

export function testMasking(get: () => Console): void {
  describe("masked mail", () => {
    it("is listed without subject and sender, and revealed in its drawer with an entry in the log", async () => {
      const newest = async () => {
        const { events } = await get().ask<{ events: { seq: number }[] }>(
          `/api/events?mailbox=${SETTLEMENTS}&type=arrived&limit=1`,
        );
        return events[0]?.seq ?? 0;
      };
      const before = await newest();
      await get().steer("/mail", { to: SETTLEMENTS, subject: SUBJECT });
      const seq = await until("the event", async () => {
        const now = await newest();
        return now > before ? now : null;
      });
      const { page, said } = await get().open("Nina Berg", `/events?event=${seq}`);
      const drawer = page.getByRole("complementary", { name: "Arrived" });
      await drawer.waitFor();
      expect(await page.getByText("Masked", { exact: true }).count()).toBeGreaterThan(1);
      expect(await page.getByText(SUBJECT).count()).toBe(0);
      await drawer.getByRole("button", { name: "Reveal (logged)" }).click();
      await drawer.getByText(SUBJECT).waitFor();
      expect(await drawer.getByText("Masked", { exact: true }).count()).toBe(0);
      await page.goto(`${get().url}/`);
      await page.getByText(`revealed the subject and sender of event ${seq}`).waitFor();
      expect(said).toEqual([]);
      await page.context().close();
    });
  });
}
