/** A reviewer's first hour: questions answered by keyboard, nothing lost, nothing claimed early. */
import { describe, expect, it } from "vitest";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";
import { askAbout, loadQuestion } from "./questions.ts";

type Evidence = Record<
  string,
  { source: { box: { x: number; y: number; width: number; height: number } | null } | null }
>;
interface Light {
  readonly box: Record<"left" | "top" | "right" | "bottom" | "scale", number>;
  readonly inkIn: number;
}

/**
 * Runs in the page, so that it is a text: where the lit region is on the sheet, in pixels of the sheet, and how much of it
 * is ink.
 */
const measureLight = `(() => {
  const canvas = document.querySelector("canvas[data-drawn]");
  const sheet = canvas.getBoundingClientRect();
  const region = document.querySelector("[data-region][data-focused]").getBoundingClientRect();
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const dense = canvas.width / sheet.width;
  const inkOf = (left, top, width, height) => {
    const { data } = context.getImageData(left * dense, top * dense, Math.max(1, width * dense), Math.max(1, height * dense));
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 128 && data[at] + data[at + 1] + data[at + 2] < 380) dark += 1;
    return dark / (data.length / 4);
  };
  const left = region.left - sheet.left, top = region.top - sheet.top;
  const scale = sheet.width / Number(canvas.dataset.points);
  const edge = 3 * scale;
  const inner = inkOf(left + edge, top + edge, region.width - 2 * edge, region.height - 2 * edge);
  return { box: { left, top, right: left + region.width, bottom: top + region.height, scale }, inkIn: inner };
})()`;

export function testReview(get: () => Console): void {
  const ask = (seed: string, filename: string) =>
    askAbout(get(), filename, { seed, kind: "buy", language: "en" });
  const load = (id: number) => loadQuestion(get(), id);

  describe("a reviewer with a keyboard", () => {
    it("sees the value lit on the page, corrects it, confirms, and takes it back", async () => {
      const question = await ask("review-1", "first.pdf");
      const { page, said } = await get().open("Omar Haddad", `/review/${question.id}`);
      await page.locator("canvas[data-drawn]").waitFor();
      await page.locator("[data-focused]").waitFor();
      await page.locator("[data-field=quantity]").focus();
      const lit = page.locator("[data-region=quantity][data-focused]");
      await lit.waitFor();
      const countRegions = () => page.locator("[data-region]").count();
      const before = await countRegions();
      await page.keyboard.down("a");
      await expect.poll(countRegions).toBeGreaterThan(before + 2);
      await page.keyboard.up("a");
      await expect.poll(countRegions).toBe(before);

      await page.locator("[data-field=reference]").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Reference" }).waitFor();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("KEY-4711");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Confirm with 1 change/ }).waitFor();
      await page.keyboard.press("c");
      await page.getByText("Confirmed KEY-4711").waitFor();
      const applied = await load(question.id);
      expect(applied).toMatchObject({ status: "applied", decision: { action: "correct" } });
      expect(applied.line.facts["reference"]).toBe("KEY-4711");

      await page.keyboard.press("u");
      await page.getByText("Undone KEY-4711").waitFor();
      const trade = await get().ask<{ status: string }>(`/api/trades/${applied.line.tradeId}`);
      expect(trade.status).toBe("withdrawn");
      expect(said).toEqual([]);
      await page.context().close();
    });

    it.each(["plain", "rotated"] as const)(
      "sees each value of a %s note lit where its words are printed",
      async (variant) => {
        const { id } = await askAbout(get(), `${variant}.pdf`, {
          seed: "lit",
          kind: "sell",
          variant,
        });
        const { page, said } = await get().open("Omar Haddad", `/review/${id}`);
        await page.locator("canvas[data-drawn]").waitFor();
        const { line } = await get().ask<{ line: { evidence: Evidence } }>(`/api/reviews/${id}`);
        const boxes = Object.entries(line.evidence).filter(([, each]) => each.source?.box);
        let seen = 0;
        for (const [field, { source }] of boxes) {
          const row = page.locator(`[data-field=${field}]`);
          if ((await row.count()) === 0) continue;
          await row.focus();
          await page.locator(`[data-region=${field}][data-focused]`).waitFor();
          const { box, inkIn } = (await page.evaluate(measureLight)) as Light;
          const { x, y, width, height } = source!.box!;
          // Three points around the words, and at most two pixels off.
          for (const [edge, expected] of [
            [box.left, x - 3],
            [box.top, y - 3],
            [box.right, x + width + 3],
            [box.bottom, y + height + 3],
          ] as const)
            expect(Math.abs(edge - expected * box.scale)).toBeLessThan(2);
          expect([field, inkIn > 0.02]).toEqual([field, true]);
          seen += 1;
        }
        expect(seen).toBeGreaterThanOrEqual(6);
        expect(said).toEqual([]);
        await page.context().close();
      },
    );

    it("rejects with a reason, and hears what is wrong while typing", async () => {
      const question = await ask("review-2", "second.pdf");
      const { page } = await get().open("Omar Haddad", `/review/${question.id}`);
      await page.locator("[data-field=quantity]").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Quantity" }).waitFor();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("twelve");
      await page.getByText("This is not a number.", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("r");
      await page.getByLabel("Reason").fill("not ours");
      await page.keyboard.press("Enter");
      await until("the rejection", async () => (await load(question.id)).status === "applied");
      expect((await load(question.id)).decision).toMatchObject({ action: "reject" });
      await page.context().close();
    });

    it("loses nothing that was typed when the server is away, and is told", async () => {
      const question = await ask("review-3", "third.pdf");
      const { page } = await get().open("Omar Haddad", `/review/${question.id}`);
      await page.locator("[data-field=account]").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Account" }).waitFor();
      await page.context().setOffline(true);
      await page.keyboard.press("Control+A");
      await page.keyboard.type("ACC-1");
      await page.keyboard.press("Enter");
      await page.getByText(/No answer from the server\./).waitFor();
      await page.getByRole("link", { name: "Queue" }).click();
      await page.goBack();
      await page.getByText("ACC-1").waitFor();
      await page.context().setOffline(false);
      await page.getByText(/No answer from the server\./).waitFor({ state: "detached" });
      await page.getByText("ACC-1").waitFor();
      await page.context().close();
    });
  });
}
