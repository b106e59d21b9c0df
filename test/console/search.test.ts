/** Search, questions, and the page of a document with the cited words lit. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendPieces } from "../answers/model-server.ts";
import { testAddin } from "./addin.suite.ts";
import { testAddinHosts } from "./addin-hosts.suite.ts";
import { testAddinPages } from "./addin-pages.suite.ts";
import { seriousFlaws } from "./axe.ts";
import { testConnect } from "./connect.suite.ts";
import { testDocuments } from "./documents.suite.ts";
import { fileAs, untilIndexed } from "./file-document.ts";
import { testGiveFile } from "./give-file.suite.ts";
import { testMasking } from "./masking.suite.ts";
import { type Console, openConsole } from "./open-console.ts";
import { testOrderQuestion } from "./order-question.suite.ts";
import { testOrders } from "./orders.suite.ts";
import { testTenant } from "./tenant.suite.ts";

/** A word that no document of the demo has. */
const OURS = "quillfeather";
const RENT = `The rent of the ${OURS} office is 4,200 euros, payable in advance`;
/** Where the sentence stands on its page, in points. */
const AT = { x: 90, y: 240, size: 12 };
const EVIL = "<img src=x onerror=alert(document.domain)>";

let app: Console;
let model: Server;
/** What the model's endpoint answers; null is an endpoint that fails. */
let says: object | null = null;
let lease: string;
let wordsAt: { from: number; to: number };

beforeAll(async () => {
  model = createServer((request, response) => {
    let asked = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      asked += text;
    });
    request.on("end", () => {
      // Only an analysis is streamed.
      if ((JSON.parse(asked) as { stream?: boolean }).stream === true)
        return sendPieces(response, ["It is a lease. ", EVIL], "stop");
      response.statusCode = says === null ? 500 : 200;
      const content = JSON.stringify(says);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
    });
  });
  await new Promise<void>((done) => model.listen(0, "127.0.0.1", done));
  app = await openConsole({
    MODEL_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}`,
    MODEL_API_KEY: "a-key",
    MODEL_NAME: "a-model",
    MASK_MAIL: "true",
  });
  const { bytes, from, to } = await aLease();
  wordsAt = { from, to };
  lease = await file("lease-lyon.pdf", bytes);
  await file("evil.txt", `Notice from ${EVIL} about the ${OURS} parking.`);
}, 300_000);
afterAll(async () => {
  await app?.close();
  model?.close();
});

async function file(name: string, body: Buffer | string): Promise<string> {
  const filed = await fileAs(app, "Nina Berg", { name, body });
  await untilIndexed(app, filed, OURS);
  return filed.documentId;
}

/** Two pages; the second has the sentence at a known place. */
async function aLease(): Promise<{ bytes: Buffer; from: number; to: number }> {
  const { default: PDFDocument } = await import("pdfkit");
  const pdf = new PDFDocument({ size: "A4", margin: 72 });
  const parts: Buffer[] = [];
  pdf.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((done) => pdf.on("end", done));
  pdf.fontSize(12).text("Lease of the Lyon office");
  pdf.addPage().fontSize(AT.size).text(RENT, AT.x, AT.y, { lineBreak: false });
  const before = RENT.slice(0, RENT.indexOf("4,200"));
  const from = AT.x + pdf.widthOfString(before);
  const to = from + pdf.widthOfString("4,200 euros");
  pdf.end();
  await ended;
  return { bytes: Buffer.concat(parts), from, to };
}

/** Where the regions are on the page, in points. */
async function litBoxes(page: Page): Promise<{ left: number; right: number; top: number }[]> {
  await page.locator("canvas[data-drawn]").waitFor();
  await page.locator("[data-region]").first().waitFor();
  return page.evaluate(`[...document.querySelectorAll("[data-region]")].map((mark) => {
    const sheet = mark.parentElement.getBoundingClientRect();
    const box = mark.getBoundingClientRect();
    const points = 595.28 / sheet.width;
    return {
      left: (box.left - sheet.left) * points,
      right: (box.right - sheet.left) * points,
      top: (box.top - sheet.top) * points,
    };
  })`);
}

describe("search", () => {
  it("is done with the keyboard alone: slash, words, arrow, Enter opens the page with the words lit", async () => {
    const { page, said } = await app.open("Nina Berg", "/search");
    await page.getByText("Find a document, or ask what your documents say.").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(OURS);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app.url}/search?q=${OURS}`);
    const result = page.getByRole("link", { name: "lease-lyon.pdf" });
    await result.waitFor();
    expect(await page.locator("mark").allTextContents()).toEqual([OURS, OURS]);
    await expect
      .poll(async () => {
        await page.keyboard.press("ArrowDown");
        return page.evaluate("document.activeElement.textContent");
      })
      .toBe("lease-lyon.pdf");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app.url}/documents/${lease}?page=2#lit=${OURS}`);
    await page.getByRole("region", { name: "Page 2 of lease-lyon.pdf" }).waitFor();
    expect(await litBoxes(page)).toHaveLength(1);
    expect(said).toEqual([]);
    await page.context().close();
  });

  it("keeps its filters in the address, counts by kind, and says how to find more", async () => {
    const { page, said } = await app.open("Nina Berg", `/search?q=${OURS}`);
    await page.getByRole("button", { name: "PDF 1" }).click();
    await page.waitForURL(/kind=pdf/);
    await expect
      .poll(() => page.locator("ol [data-row]").allTextContents())
      .toEqual(["lease-lyon.pdf"]);
    await page.goto(`${app.url}/search?q=${OURS}&to=2001-01-01`); // the demo remembers who is there
    await page.getByText("No document that you may read matches.").waitFor();
    await page.getByRole("button", { name: "Remove all filters" }).click();
    await page.waitForURL(`${app.url}/search?q=${OURS}`);
    await page.getByRole("link", { name: "lease-lyon.pdf" }).waitFor();
    expect(await seriousFlaws(page)).toEqual([]);
    expect(said).toEqual([]);
    await page.context().close();
  });

  it("shows what strangers wrote as text, and starts from the palette", async () => {
    const { page, said } = await app.open("Nina Berg");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(OURS);
    await page.getByRole("option", { name: `Search documents for “${OURS}”` }).click();
    await page.waitForURL(`${app.url}/search?q=${OURS}`);
    await page.getByText(EVIL).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByRole("link", { name: "evil.txt" }).click();
    await page.getByText("Only PDFs are shown here.").waitFor();
    expect(said).toEqual([]);
    await page.context().close();
  });
});

describe("the palette", () => {
  it("opens a document by a part of its name", async () => {
    const { page, said } = await app.open("Nina Berg");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("lease-lyon");
    await page.getByRole("option", { name: /^lease-lyon\.pdf document$/ }).click();
    await page.waitForURL(`${app.url}/documents/${lease}`);
    await page.locator("canvas[data-drawn]").waitFor();
    expect(said).toEqual([]);
    await page.context().close();
  });
});

describe("a question", () => {
  it("is answered as text, and its citation opens the page with exactly the cited words lit", async () => {
    says = {
      answered: true,
      // The server breaks tags; what still looks like HTML is shown as it stands.
      answer: `The rent is 4,200 euros &lt;b&gt;. ${EVIL}`,
      // Only one of the passages has these words; the other citations are removed.
      citations: [1, 2, 3, 4, 5, 6].map((passage) => ({ passage, words: "4,200 euros" })),
    };
    const { page, said } = await app.open("Nina Berg", `/ask?question=${OURS}+rent`);
    const shown = `The rent is 4,200 euros &lt;b&gt;. ${EVIL.replace("<", "‹")}`;
    await page.getByText(shown, { exact: true }).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await seriousFlaws(page)).toEqual([]);
    await page.getByRole("list", { name: "Citations" }).getByRole("link").first().click();
    await page.getByRole("region", { name: "Page 2 of lease-lyon.pdf" }).waitFor();
    const [box, ...more] = await litBoxes(page);
    expect(more).toEqual([]);
    // Three points are left around the words, and two are allowed.
    expect(Math.abs(box!.left - (wordsAt.from - 3))).toBeLessThan(2);
    expect(Math.abs(box!.right - (wordsAt.to + 3))).toBeLessThan(2);
    expect(box!.top).toBeGreaterThan(AT.y - 6);
    expect(box!.top).toBeLessThan(AT.y + 4);
    expect(await seriousFlaws(page)).toEqual([]);
    expect(said).toEqual([]);
    await page.context().close();
  });

  it("without a model that answers shows the best passages and says why; without evidence it says so", async () => {
    says = null;
    const { page } = await app.open("Nina Berg", `/ask?question=${OURS}+rent`);
    await page.getByText(/^No model answers now \(model\.\w+\)\.$/).waitFor();
    await page.getByText("No model wrote an answer.").waitFor();
    await page.getByText(RENT).waitFor();
    await page.goto(`${app.url}/ask?question=${OURS}+rent&to=2001-01-01`);
    await page.getByText("No document you can open answers this.").waitFor();
    await page.context().close();
  });
});

testAddin(() => app);
testAddinHosts(() => app);
testAddinPages(() => app);
testTenant(() => app);
testConnect(() => app);
testGiveFile(() => app);
testDocuments(() => app);
testOrders(() => app);
testOrderQuestion(() => app);
testMasking(() => app);
