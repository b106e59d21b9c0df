/** The first hour of four people with `postroom up`: they judge us by it. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { NoteRequest } from "../../tenant/content/notes/note.ts";
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";
import { askAbout, loadQuestion, type ReviewRow } from "./questions.ts";

const OPERATIONS = "operations@ashdown.example";
const SETTLEMENTS = "settlements@ashdown.example";

export function testStories(get: () => Console): void {
  /** A note of a broker whom `postroom up` trusts, by mail. */
  async function mailNote(filename: string, request: NoteRequest): Promise<void> {
    const { pdf: printed, skin } = await makeNote(request);
    // Sent again, a note is printed again: the same words, other bytes.
    const pdf = Buffer.concat([printed, Buffer.from(`\n% ${filename}\n`)]);
    await get().steer("/mail", {
      to: OPERATIONS,
      from: `documents@${skin}.example`,
      subject: `Contract note ${filename}`,
      auth: "pass",
      attachments: [
        { name: filename, contentType: "application/pdf", contentBytes: pdf.toString("base64") },
      ],
    });
  }

  /** The trade that the file reports, or "a question" about it. */
  const fateOf = (filename: string): Promise<string> =>
    until(`the fate of ${filename}`, async () => {
      const { trades } = await get().ask<{
        trades: { id: string; documents: { filename: string }[] }[];
      }>("/api/trades?limit=1000");
      const reports = trades.find(({ documents }) =>
        documents.some((document) => document.filename === filename),
      );
      if (reports !== undefined) return reports.id;
      const { reviews } = await get().ask<{ reviews: ReviewRow[] }>("/api/reviews?limit=1000");
      return reviews.some(({ about }) => about.file === filename) && "a question";
    });

  describe("in the first minute", () => {
    it("a newcomer finds a question of each kind, and a second copy that asked nothing", async () => {
      const kinds = [
        /^sender not approved/,
        /password/,
        /^whose trade it is/,
        /^sender not authenticated/,
        /is booked with other figures$/,
      ];
      await until("a question of each kind", async () => {
        const { reviews } = await get().ask<{
          reviews: { reason: string; about: { sender: string } }[];
        }>("/api/reviews?limit=1000");
        const theirs = reviews.filter(({ about }) => /lindenquell|brightwater/.test(about.sender));
        return kinds.every((kind) => theirs.some(({ reason }) => kind.test(reason)));
      });
      await until("a trade with two copies of its note", async () => {
        const { trades } = await get().ask<{ trades: { documents: object[] }[] }>(
          "/api/trades?limit=1000",
        );
        return trades.some(({ documents }) => documents.length === 2);
      });
    });
  });

  describe("in the first hour", () => {
    it("operations corrects an amber note, sees the resent note as the same trade and a second fill kept apart, and takes the trades away as CSV", async () => {
      const note = { seed: "story", kind: "buy", language: "en" } as const;
      const { id } = await askAbout(get(), "amber.pdf", note);
      const { page, said } = await get().open("Omar Haddad", `/review/${id}`);
      await page.locator("canvas[data-drawn]").waitFor();
      await page.locator("[data-field=name]").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Name" }).waitFor();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("Story Holdings plc");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Confirm with 1 change/ }).waitFor();
      await page.keyboard.press("c");
      await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
      const tradeId = await until("the trade", async () => {
        const { line, status } = await loadQuestion(get(), id);
        return status === "applied" && line.tradeId;
      });

      await mailNote("resent.pdf", note);
      expect(await fateOf("resent.pdf")).toBe(tradeId);
      await mailNote("fill.pdf", { ...note, reference: "SECOND-FILL-1" });
      expect(await fateOf("fill.pdf")).not.toBe(tradeId);
      await page.goto(`${get().url}/trades/${tradeId}`);
      await page.getByText("Same trade, second copy").waitFor();
      const shown = page.getByRole("region", { name: "The note", exact: true });
      await shown.locator("canvas[data-drawn]").waitFor();
      await shown.getByRole("button", { name: "resent.pdf" }).click();
      await shown.getByRole("region", { name: "Page 1 of resent.pdf" }).waitFor();
      await page.getByText("resent.pdf", { exact: true }).first().waitFor();
      await page.getByText("Story Holdings plc", { exact: true }).waitFor();
      expect(await page.getByText("fill.pdf", { exact: true }).count()).toBe(0);

      await page.getByRole("link", { name: "Trades", exact: true }).first().click();
      const started = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV" }).click();
      const rows = await readFile(await (await started).path(), "utf8");
      const [head, ...lines] = rows.trim().split("\n");
      expect(head).toContain("archivePath");
      expect(lines.filter((line) => line.includes(tradeId))).toHaveLength(1);
      expect(said).toEqual([]);
      await page.context().close();
    });

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
      const { page, said } = await get().open("Nina Berg", "/tenant");
      await page.getByRole("combobox", { name: "What goes wrong" }).selectOption("throttle");
      await page.getByRole("textbox", { name: "Number of times" }).fill("5");
      await page.getByRole("textbox", { name: "Retry-After, in seconds" }).fill("1");
      await page.getByRole("button", { name: "Arm the fault" }).click();
      await page.getByText("Armed: requests are refused with 429, 5 times.").waitFor();
      await page.getByRole("combobox", { name: "To" }).selectOption(OPERATIONS);
      await page.getByRole("combobox", { name: "Message" }).selectOption("letter");
      await page.getByRole("textbox", { name: "Subject" }).fill("Through the storm");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("link", { name: "Watch it arrive" }).waitFor();
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
