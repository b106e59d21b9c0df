/** The console as `postroom up` serves it, in a real browser. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../helpers/app.ts";
import { testAnswers } from "./answers.suite.ts";
import { testHostile } from "./hostile.suite.ts";
import { testKeyboard } from "./keyboard.suite.ts";
import { type Console, openConsole } from "./open-console.ts";
import { testPages, testStates } from "./pages.suite.ts";
import { testRecovery } from "./recovery.suite.ts";
import { testReview } from "./review.suite.ts";
import { testStories } from "./stories.suite.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

let app: Console;
beforeAll(async () => {
  app = await openConsole();
}, 300_000);
afterAll(() => app?.close());

const head = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers: { accept: "text/html", ...headers } });

describe("sign-in with Entra", () => {
  it("happens in a window of its own, and the page that opened it goes on", async () => {
    const { signIn } = (await (await fetch(`${app.url}/api/console/settings`)).json()) as {
      signIn: { authority: string; clientId: string };
    };
    // The sample registration knows the usual port only.
    const admin = `${new URL(signIn.authority).origin}/admin/apps/${signIn.clientId}`;
    const registered = await fetch(admin, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirectUris: [`${app.url}/signed-in`] }),
    });
    expect(registered.status).toBe(200);
    const { page } = await app.open(null, "/trades");
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in with a password instead" }).click();
    const entra = await opened;
    const closed = entra.waitForEvent("close");
    await entra.getByLabel("Account").fill("nina.berg@ashdown.example");
    await entra.getByLabel("Password").fill("Passw0rd!");
    await entra.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Trades" }).waitFor();
    await closed;
    const kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])";
    expect(await page.evaluate(kept)).not.toMatch(/eyJ/);
    await page.context().close();
  });
});

describe("the files of the console", () => {
  it("are one document for every page, under a policy without anything inline [S68]", async () => {
    for (const path of ["/", "/events?type=arrived", "/trace/x%2Fy", "/review/7"]) {
      const answer = await head(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      const policy = answer.headers.get("content-security-policy")!;
      expect(policy).toMatch(/script-src 'self'; style-src 'self';/);
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)/);
    }
  });

  it("come as Brotli to those who ask for it, as gzip to others, and are kept for a year", async () => {
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await head("/")).text())![1]!;
    const encodingOf = async (accepted: string) => {
      const answer = await head(script, { "accept-encoding": accepted });
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      return answer.headers.get("content-encoding");
    };
    expect(await encodingOf("gzip, deflate, br")).toBe("br");
    expect(await encodingOf("gzip")).toBe("gzip");
    expect(await encodingOf("br;q=0, gzip")).toBe("gzip");
    expect(await encodingOf("identity")).toBeNull();
  });

  it("hide nothing that is wrong: unknown calls and paths outside stay unknown", async () => {
    for (const path of ["/api/nothing", "/assets/nothing.js", "/assets/..%2f..%2fpackage.json"])
      expect((await head(path)).status).toBe(404);
    expect((await fetch(`${app.url}/nothing`)).status).toBe(404);
    expect((await fetch(`${app.url}/`)).status).toBe(200); // whatever the client accepts
  });

  it("of the first page weigh at most 200 KB of script in Brotli", async () => {
    const { page } = await app.open("Nina Berg");
    await page.locator("canvas").first().waitFor();
    const scripts = (await page.evaluate(
      "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('.js')).map((e) => e.encodedBodySize)",
    )) as number[];
    const bytes = scripts.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(200_000);
    await page.context().close();
  });
});

describe("signing in as a sample person", () => {
  const askToken = (headers: Record<string, string>, personId: string) =>
    fetch(`${app.url}/api/console/sample-token`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ personId }),
    });

  it("is for pages of this machine only: another site's page gets nothing [S68]", async () => {
    const settings = (await (await head("/api/console/settings")).json()) as {
      people: { id: string }[];
    };
    const person = settings.people[0]!.id;
    expect((await askToken({}, person)).status).toBe(200);
    expect((await askToken({ origin: app.url }, person)).status).toBe(200);
    expect((await askToken({ origin: "https://evil.example" }, person)).status).toBe(403);
    expect((await askToken({ "sec-fetch-site": "cross-site" }, person)).status).toBe(403);
    expect((await askToken({}, "somebody")).status).toBe(404);
  });

  it("shows the pages of the person's role and no others, and keeps the token out of storage", async () => {
    const { page, said } = await app.open(null);
    await page.getByRole("button", { name: /Settlements/ }).click();
    const nav = page.getByRole("navigation", { name: "Pages" }).first();
    await nav.waitFor();
    expect(await nav.getByRole("link", { name: "Events" }).count()).toBe(1);
    expect(await nav.getByRole("link", { name: "Jobs" }).count()).toBe(0);
    const stored = await page.evaluate(
      "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])",
    );
    expect(stored).not.toMatch(/eyJ/);
    expect(said).toEqual([]);
    await page.context().close();
  });
});

describe("the overview", () => {
  it("says whether mail is flowing, and is live", async () => {
    const { page, said } = await app.open("Nina Berg");
    await page.getByRole("heading", { name: /Mail is flowing\./ }).waitFor();
    await page.getByText(/Live, updated \d+ s ago/).waitFor();
    expect(said).toEqual([]);
    await page.context().close();
  });
});

testPages(() => app);

describe("each role", () => {
  it.each([
    ["Settlements", ["Overview", "Events", "Documents", "Mailboxes"], ["Trades", "Review", "Jobs"]],
    [
      "Tomas Lindqvist",
      ["Trades", "Orders", "Senders"],
      ["Review", "Evidence", "Jobs", "Settings"],
    ],
  ])(
    "%s sees the pages of the role, and the server refuses none of them",
    async (person, shown, hidden) => {
      const { page, said } = await app.open(person);
      const links = page.getByRole("navigation", { name: "Pages" }).first().getByRole("link");
      const titles = await links.allInnerTexts();
      expect(titles).toEqual(expect.arrayContaining(shown));
      expect(titles.filter((title) => hidden.includes(title))).toEqual([]);
      for (const name of shown) {
        await page.getByRole("link", { name, exact: true }).first().click();
        await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
        await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
        expect(await page.getByRole("alert").count()).toBe(0);
      }
      expect(said).toEqual([]);
      await page.context().close();
    },
  );
});

testReview(() => app);
testAnswers(() => app);
testKeyboard(() => app);
testHostile(() => app);
testStories(() => app);

/** More mail may arrive at any moment, and then the button is there again. */
async function takeUntil(page: Page, subject: string): Promise<void> {
  const button = page.getByRole("button", { name: /new events?$/ });
  const row = page.getByText(subject, { exact: true });
  await expect
    .poll(async () => {
      if (await button.isVisible()) await button.click();
      return row.count();
    })
    .toBeGreaterThan(0);
}

describe("events", () => {
  it("open with their facts, and lead to the trace of the message", async () => {
    const { page, said } = await app.open(
      "Nina Berg",
      "/events?mailbox=operations@ashdown.example",
    );
    await page
      .getByRole("button", { name: /^Arrived/ })
      .first()
      .click();
    await page.waitForURL(/event=\d+/);
    await page.getByRole("complementary", { name: "Arrived" }).waitFor();
    await page.keyboard.press("t");
    await page.waitForURL(/\/trace\//);
    await page.getByText("Arrived in Inbox").waitFor();
    expect(said).toEqual([]);
    await page.context().close();
  });

  it("that are open are closed by the way back, which stays with the list", async () => {
    const { page } = await app.open("Nina Berg", "/events", PHONE);
    const rows = page.getByRole("button", { name: /^Arrived/ });
    await rows.first().click();
    await page.waitForURL(/event=\d+/);
    const drawer = page.getByRole("complementary", { name: "Arrived" });
    await drawer.waitFor();
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/events");
    await page.context().close();
  });

  it("that are new wait behind a button until somebody wants them", async () => {
    const { page } = await app.open("Nina Berg", "/events");
    await page.getByText(/^Live, /).waitFor();
    await app.steer("/mail", { to: "operations@ashdown.example", subject: "One more" });
    const button = page.getByRole("button", { name: /new events?$/ });
    await button.waitFor();
    const row = page.getByText("One more", { exact: true });
    expect(await row.count()).toBe(0);
    await takeUntil(page, "One more");
    await page.context().close();
  });

  it("that come during a pause are there after it", async () => {
    const { page } = await app.open("Nina Berg", "/events");
    await page.getByText(/^Live, /).waitFor();
    await page.keyboard.press("p");
    await page.getByText("Paused").waitFor();
    await app.steer("/mail", { to: "operations@ashdown.example", subject: "During the pause" });
    await until("the event", async () => {
      const { events } = await app.ask<{ events: object[] }>("/api/events?text=During the pause");
      return events.length > 0;
    });
    await page.keyboard.press("p");
    await takeUntil(page, "During the pause");
    await page.context().close();
  });
});

testRecovery(() => app);
testStates(() => app);
