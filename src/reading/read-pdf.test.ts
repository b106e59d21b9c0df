import { readFileSync, readlinkSync } from "node:fs";
import { afterAll, describe, expect, it, vi } from "vitest";
import { poisonSet } from "../../test/helpers/poison-pdfs.ts";
import { systemClock } from "../lib/clock.ts";
import { createPdfReader, type PdfReader } from "./read-pdf.ts";

const readers: PdfReader[] = [];
afterAll(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
});

function startReader(options: Partial<Parameters<typeof createPdfReader>[0]> = {}): PdfReader {
  const reader = createPdfReader({ clock: systemClock, ...options });
  readers.push(reader);
  return reader;
}

const slow = poisonSet("/nowhere").find((poison) => poison.name.startsWith("ten forms"))!.pdf;

/** The smallest PDF that says something. */
function aPdf(text: string, pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${5 + index} 0 R`).join(" ");
  const page =
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >> >>";
  const stream = `BT /F 10 Tf 20 150 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...Array.from({ length: pages }, () => page),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`);
}

describe("reading a PDF", () => {
  const reader = startReader({ limits: { fileBytesMax: 50_000, pagesMax: 3, charactersMax: 30 } });

  it("returns words with their places, measured from the top left of the page", async () => {
    const result = await reader.read(aPdf("Bought 25"));
    if (!result.ok) throw new Error(result.detail);
    expect(result.reading.text).toBe("Bought 25");
    const [page] = result.reading.pages;
    expect(page).toMatchObject({ number: 1, width: 300, height: 200 });
    const [first, second] = page!.lines[0]!.words;
    expect(first!.x).toBeCloseTo(20, 0);
    expect(first!.y).toBeCloseTo(41, 0);
    expect(second!.text).toBe("25");
    expect(second!.x).toBeGreaterThan(first!.x + first!.width);
  });

  it("does not change its input", async () => {
    const bytes = aPdf("Sold 3");
    const before = Buffer.from(bytes);
    await reader.read(bytes);
    expect(bytes.equals(before)).toBe(true);
  });

  it.each([
    ["empty", Buffer.alloc(0)],
    ["not-a-pdf", Buffer.from("MZ and then some")],
    ["too-large", Buffer.concat([aPdf("x"), Buffer.alloc(50_000)])],
    ["too-many-pages", aPdf("x", 4)],
    ["too-much-text", aPdf("more than thirty characters, surely")],
    ["no-text", aPdf(" ")],
    ["damaged", aPdf("x").subarray(0, 200)],
  ])("refuses with the reason %s [H-18] [R46]", async (reason, bytes) => {
    expect(await reader.read(bytes)).toMatchObject({ ok: false, reason });
  });

  it("accepts bytes before the header, as other readers do", async () => {
    const result = await reader.read(Buffer.concat([Buffer.from("\r\n\r\n"), aPdf("late")]));
    expect(result.ok).toBe(true);
  });

  it("counts what it read and what it refused, by reason", () => {
    const { read, refused, isolation } = reader.stats();
    expect(read).toBeGreaterThanOrEqual(3);
    expect(refused).toMatchObject({ empty: 1, "not-a-pdf": 1, "no-text": 1 });
    expect(isolation).toBe("contained");
  });
});

describe("the children of the reader", () => {
  it("have no network, nothing of our environment, a user each, and Node's permission model [S57]", async () => {
    const reader = startReader({ size: 2 });
    vi.stubEnv("GRAPH_CLIENT_SECRET", "canary");
    reader.warm();
    vi.unstubAllEnvs();
    await Promise.all([reader.read(aPdf("one")), reader.read(aPdf("two"))]);
    const { pids } = reader.stats();
    const of = (pid: number, name: string) => `/proc/${pid}/${name}`;
    const users = pids.map((pid) => {
      expect(readlinkSync(of(pid, "ns/net"))).not.toBe(readlinkSync("/proc/self/ns/net"));
      expect(readFileSync(of(pid, "environ"), "latin1")).not.toMatch(/HOME=|canary/u);
      expect(readFileSync(of(pid, "cmdline"), "latin1")).toMatch(
        /\0--(?:experimental-)?permission\0/u,
      );
      return /^Uid:\s+(\d+)/mu.exec(readFileSync(of(pid, "status"), "latin1"))![1];
    });
    expect(new Set([...users, "0", "65534"]).size).toBe(4);
  });

  it("a file that takes too long is stopped, and the next one is read", async () => {
    const reader = startReader({ caps: { wallMs: 3_000 } });
    expect(await reader.read(slow)).toMatchObject({ ok: false, reason: "timed-out" });
    expect(reader.stats()).toMatchObject({ killed: 1, retried: 0 });
    expect((await reader.read(aPdf("after"))).ok).toBe(true);
  });

  it("a file that kills its child is retried once", async () => {
    const reader = startReader({ size: 1 });
    await reader.read(aPdf("warm"));
    const [pid] = reader.stats().pids;
    process.kill(pid!, "SIGSTOP"); // so that it cannot have answered before
    const reading = reader.read(aPdf("unlucky"));
    process.kill(pid!, "SIGKILL");
    expect((await reading).ok).toBe(true);
    expect(reader.stats()).toMatchObject({ killed: 1, retried: 1 });
  });

  it("a child is replaced after a number of files", async () => {
    const reader = startReader({ size: 1, recycleAfter: 2 });
    for (const text of ["one", "two", "three"])
      expect((await reader.read(aPdf(text))).ok).toBe(true);
    await vi.waitFor(() => expect(reader.stats().recycled).toBe(1), { timeout: 60_000 });
    const [pid] = reader.stats().pids;
    expect((await reader.read(aPdf("four"))).ok).toBe(true);
    expect(reader.stats().pids).toEqual([pid]);
  });

  it("many files share two children", async () => {
    const reader = startReader();
    const texts = Array.from({ length: 12 }, (_, index) => `note ${index}`);
    const results = await Promise.all(texts.map((text) => reader.read(aPdf(text))));
    expect(results.map((result) => (result.ok ? result.reading.text : result.reason))).toEqual(
      texts,
    );
    expect(reader.stats()).toMatchObject({ started: 2, waiting: 0 });
  });

  it("a caller who aborts gets the reason back, and the child is killed", async () => {
    const reader = startReader({ size: 1 });
    await reader.read(aPdf("warm"));
    const controller = new AbortController();
    const reading = reader.read(slow, controller.signal);
    controller.abort(new Error("shutting down"));
    await expect(reading).rejects.toThrow("shutting down");
    expect((await reader.read(aPdf("after"))).ok).toBe(true);
  });

  it("a closed reader accepts nothing", async () => {
    const reader = startReader();
    await reader.read(aPdf("last"));
    await reader.close();
    await expect(reader.read(aPdf("late"))).rejects.toThrow("closed");
  });
});
