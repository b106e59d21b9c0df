/** Whatever strangers write stays text on every screen, and other sites cannot use the console. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import { addDeadLetters } from "./dead-letters.ts";
import { type Console, goTo } from "./open-console.ts";
import { askAbout, loadQuestion } from "./questions.ts";

/** It would run if any screen took it for markup. The word says where it was written. */
const evil = (where: string) => `${where}<img src=x onerror=hacked=true><svg onload=hacked=true>`;
const OPERATIONS = "operations@ashdown.example";

export function testHostile(get: () => Console): void {
  /** Writes hostile text into everything that a stranger or a colleague can write. */
  async function plant() {
    const app = get();
    await app.steer(`/mailboxes/${OPERATIONS}/folders`, { displayName: evil("folder") });
    const { pdf } = await makeNote({ seed: "hostile", kind: "buy", language: "en" });
    await app.steer("/mail", {
      to: OPERATIONS,
      folder: evil("folder"),
      subject: `${evil("subject")} =cmd() \u001b[2J`,
      from: `"${evil("sender")}" <evil@stranger.example>`,
      body: "see the note",
      attachments: [
        {
          name: `${evil("file")}.pdf`,
          contentBytes: pdf.toString("base64"),
          contentType: "application/pdf",
        },
      ],
    });
    const { events } = await until("the event", async () => {
      const found = await app.ask<{
        events: { seq: number; messageId: string; subject: string }[];
      }>(`/api/events?mailbox=${OPERATIONS}&text=onerror&limit=1`);
      return found.events.length > 0 ? found : null;
    });
    const question = await askAbout(app, `${evil("file")}.pdf`, {
      seed: "hostile-2",
      kind: "buy",
      language: "en",
    });
    const decided = {
      decision: { action: "correct", facts: { reference: evil("ref"), name: evil("name") } },
    };
    const second = await askAbout(app, `${evil("booked")}.pdf`, {
      seed: "hostile-3",
      kind: "buy",
      language: "en",
    });
    await app.ask(`/api/reviews/${second.id}/decision`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(decided),
    });
    const booked = await until("the trade", async () => {
      const { line } = await loadQuestion(app, second.id);
      return line.tradeId;
    });
    const csv = `reference,username,direction,quantity,placedOn\n"${evil("order")}",nina,BUY,10,2026-02-02\n`;
    await app.ask("/api/orders/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csv }),
    });
    // More than of any other cause, because the overview names the most frequent one.
    const cause = await addDeadLetters(app, { count: 9, message: evil("error") });
    return { event: events[0]!, question, tradeId: booked, bookedFile: second.about.file, cause };
  }

  async function expectInert(page: Page): Promise<void> {
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    expect(await page.locator("img, [onload], [onerror], iframe, main script").count()).toBe(0);
  }

  describe("hostile text", () => {
    it("in subject, sender, file, folder, error and corrected values is text on every page [S60]", async () => {
      const { event, question, tradeId, bookedFile, cause } = await plant();
      const { page, said } = await get().open("Nina Berg");
      const shown: [string, string[]][] = [
        [
          `/events?mailbox=${OPERATIONS}&text=onerror&event=${event.seq}`,
          ["subject", "folder", "sender"],
        ],
        [`/trace/${encodeURIComponent(event.messageId)}`, ["folder"]],
        ["/review", []],
        [`/review/${question.id}`, []],
        ["/trades", ["name"]],
        [`/trades/${tradeId}`, ["ref", "name"]],
        [`/trace/${tradeId}`, []],
        ["/search?q=onerror", []],
        [`/evidence?kind=trade&id=${tradeId}`, []],
        ["/senders", []],
        ["/my-mailbox", []],
        ["/settings", []],
        ["/tenant", []],
        ["/orders", ["order"]],
        ["/documents", []],
        [`/mailboxes/${OPERATIONS}`, ["folder"]],
        ["/jobs?state=Failed", ["error"]],
        [`/dead-letters?cause=${cause}`, ["error"]],
        ["/", ["error"]],
      ];
      for (const [path, texts] of shown) {
        await goTo(page, path);
        await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
        // Beside a drawer the list has no room for every column.
        for (const where of texts)
          await page
            .getByText(`${where}<img src=x onerror=hacked=true>`)
            .filter({ visible: true })
            .first()
            .waitFor();
        if (path.endsWith(`/${question.id}`))
          await page.getByText(question.about.file).first().waitFor();
        if (path === `/trades/${tradeId}`) await page.getByText(bookedFile).first().waitFor();
        await expectInert(page);
      }
      await page.keyboard.press("Control+k");
      await page.keyboard.type("onerror");
      await page.getByRole("option", { name: "<img src=x onerror=hacked=true>" }).first().waitFor();
      await expectInert(page);
      // A blocked script would have said so, too.
      expect(said).toEqual([]);
      await page.context().close();
    });
  });

  describe("another site", () => {
    it("can neither frame the console nor call its API with a visitor's rights [S68]", async () => {
      const { url } = get();
      const server = createServer((_, answer) => {
        answer.setHeader("content-type", "text/html");
        answer.end(`<iframe src="${url}/"></iframe>`);
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as AddressInfo;
      const { page } = await get().open(null);
      try {
        const refused = page.waitForEvent("console", (message) =>
          /frame-ancestors/.test(message.text()),
        );
        await page.goto(`http://127.0.0.1:${port}/`);
        await refused;
        // A form that needs no permission to be sent, with whatever the browser adds by itself.
        const status = await page.evaluate(`fetch(${JSON.stringify(`${url}/api/dlq/dismiss`)}, {
          method: "POST", mode: "no-cors", credentials: "include", body: "{}" }).then(({ type }) => type)`);
        expect(status).toBe("opaque");
        const readable = await page.evaluate(
          `fetch(${JSON.stringify(`${url}/api/console/settings`)}).then(() => true, () => false)`,
        );
        expect(readable).toBe(false);
      } finally {
        await page.context().close();
        server.close();
      }
      const cookies = await fetch(url);
      expect(cookies.headers.get("set-cookie")).toBeNull();
      const { status } = await fetch(`${url}/api/dlq/dismiss`, {
        method: "POST",
        headers: { origin: "https://evil.example", "content-type": "application/json" },
        body: '{"all":true,"why":"because"}',
      });
      expect(status).toBe(401);
    });
  });

  describe("secrets", () => {
    it("are in nothing that the browser receives, and the token is in no URL, storage or element [S65]", async () => {
      const { home, environment } = get();
      const { page } = await get().open(null);
      const bodies: Promise<string>[] = [];
      const tokens = new Set<string>();
      page.on("request", (request) => {
        const [, token] = request.headers()["authorization"]?.split(" ") ?? [];
        if (token !== undefined) tokens.add(token);
      });
      page.on("response", (answer) => {
        if (!/event-stream|sample-token/.test(`${answer.headers()["content-type"]}${answer.url()}`))
          bodies.push(answer.text().catch(() => ""));
      });
      await page.getByRole("button", { name: /Nina Berg/ }).click();
      await page.getByRole("navigation", { name: "Pages" }).first().waitFor();
      for (const path of [
        "/",
        "/mailboxes",
        `/mailboxes/${OPERATIONS}`,
        "/jobs",
        "/settings",
        "/dead-letters",
      ]) {
        await goTo(page, path);
        await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
        const kept = String(
          await page.evaluate(
            "document.documentElement.outerHTML + location.href + JSON.stringify([{...localStorage}, {...sessionStorage}]) + document.cookie",
          ),
        );
        for (const token of tokens) expect(kept).not.toContain(token);
      }
      const received = (await Promise.all(bodies)).join("\n");
      expect(received.length).toBeGreaterThan(100_000);
      for (const secret of await secretsOf(home, environment["DATABASE_URL"]!))
        expect(received.includes(secret)).toBe(false);
      await page.context().close();
    });
  });
}

/** The operator key, the database's password, and every secret of the tenant's apps and subscriptions. */
async function secretsOf(home: string, databaseUrl: string): Promise<string[]> {
  const key = (await readFile(join(home, "operator-key"), "utf8")).trim();
  const tenant = await readFile(join(home, "tenant-state.json"), "utf8").catch(() => "");
  const found = [...tenant.matchAll(/"(?:secrets?|clientState|password)":\s*\[?"([^"]{8,})"/g)].map(
    (match) => match[1]!,
  );
  return [key, decodeURIComponent(new URL(databaseUrl).password), ...found].filter(
    (secret) => secret.length >= 8,
  );
}
