import { describe, expect, it } from "vitest";
import { makeNote } from "./make-note.ts";
import { KINDS, LANGUAGES, type NoteRequest, TRAPS, type TradeTruth } from "./note.ts";
import { SECURITIES } from "./securities.ts";
import { SKINS } from "./skins.ts";

const requests: NoteRequest[] = SKINS.flatMap((skin) =>
  KINDS.map((kind) => ({ seed: `${skin.id}/${kind}`, skin: skin.id, kind })),
);

describe("the contract-note factory", () => {
  it("gives the same bytes for the same seed, whatever the variant", async () => {
    for (const variant of ["plain", "rotated", "scanned", "encrypted"] as const) {
      const request: NoteRequest = { seed: 7, kind: "sell", variant };
      const [one, two] = await Promise.all([makeNote(request), makeNote(request)]);
      expect(one.pdf.equals(two.pdf)).toBe(true);
      expect(one).toEqual(two);
    }
  });

  it("gives another note for another seed", async () => {
    const texts = new Set<string>();
    for (let seed = 0; seed < 30; seed++) texts.add((await makeNote({ seed })).text);
    expect(texts.size).toBe(30);
  });

  it("makes every kind in every skin with figures that agree to the cent", async () => {
    for (const request of requests) {
      const { truth } = await makeNote(request);
      for (const trade of truth.trades) expect(problemsOf(trade)).toEqual([]);
    }
  });

  it("speaks nine languages, and no two say the same", async () => {
    const titles = LANGUAGES.map(
      async (language) => (await makeNote({ seed: 1, language, kind: "buy" })).text,
    );
    expect(new Set(await Promise.all(titles)).size).toBe(9);
  });

  it("contains no trade if the document is not a contract note", async () => {
    for (const kind of ["dividend", "tax", "account-statement", "newsletter"] as const) {
      const note = await makeNote({ seed: kind, kind });
      expect(note.truth.trades).toEqual([]);
      expect(["dividend", "tax", "account-statement", "other"]).toContain(note.truth.documentType);
    }
  });

  it("names the note that a cancellation or an amendment refers to", async () => {
    for (const kind of ["cancellation", "amendment"] as const) {
      const note = await makeNote({ seed: 3, kind, refersTo: "CN-471100" });
      expect(note.truth.trades[0]).toMatchObject({
        refersTo: "CN-471100",
        isCancelled: kind === "cancellation",
      });
      expect(note.text).toContain("CN-471100");
    }
  });

  it("repeats a trade under another reference, as a second fill does", async () => {
    const wish: NoteRequest = { seed: 11, kind: "buy", account: "1-1" };
    const [first] = (await makeNote(wish)).truth.trades;
    const [second] = (await makeNote({ ...wish, reference: "CN-2" })).truth.trades;
    expect(second).toMatchObject({ quantity: first!.quantity, net: first!.net, reference: "CN-2" });
  });

  it("lists the requested number of trades in a statement, in order of their dates", async () => {
    const { truth } = await makeNote({ seed: 5, kind: "statement", trades: 60 });
    const days = truth.trades.map((trade) => trade.tradeDate);
    expect(days).toHaveLength(60);
    expect(days).toEqual([...days].sort());
    expect(truth.trades.at(-1)!.sources.net!.page).toBeGreaterThan(1);
  });

  it("adds traps without changing the true values", async () => {
    for (const trap of TRAPS.filter((one) => one !== "ambiguous-date")) {
      const wish: NoteRequest = { seed: 9, skin: "almendral", kind: "fx" };
      const [plain, trapped] = await Promise.all([
        makeNote(wish),
        makeNote({ ...wish, traps: [trap] }),
      ]);
      const values = (trades: TradeTruth[]) => trades.map(({ sources: _, ...trade }) => trade);
      expect(values(trapped.truth.trades)).toEqual(values(plain.truth.trades));
      expect(trapped.text).not.toBe(plain.text);
    }
  });

  it("writes dates that are valid with day and month swapped", async () => {
    const note = await makeNote({
      seed: 4,
      skin: "kestrelbrook",
      kind: "buy",
      traps: ["ambiguous-date"],
    });
    expect(note.truth.trades[0]!.tradeDate).toMatch(/^2026-0[2-4]-(?:0\d|1[0-2])$/u);
    expect(note.truth.trades[0]!.sources.tradeDate!.text).toMatch(/^\d\d\/\d\d\/2026$/u);
  });

  it("refuses a skin that it does not have", async () => {
    await expect(makeNote({ seed: 1, skin: "none" })).rejects.toThrow("lindenquell");
  });

  it("gives every security an ISIN with a valid check digit", () => {
    for (const { isin } of SECURITIES) expect(isValidIsin(isin)).toBe(true);
  });
});

function problemsOf(trade: TradeTruth): string[] {
  const problems: string[] = [];
  const near = (what: string, a: number, b: number, tolerance = 0.011) => {
    if (Math.abs(a - b) > tolerance) problems.push(`${what}: ${a} is not ${b} (${trade.isin})`);
  };
  const sign = trade.direction === "BUY" ? 1 : -1;
  near("net", trade.net, trade.gross + sign * (trade.fees + trade.taxes));
  const factor = trade.isPercentQuoted || trade.priceCurrency === "GBX" ? 0.01 : 1;
  const value = trade.quantity * trade.price * factor + (trade.accruedInterest ?? 0);
  near("gross", trade.forexGross ?? trade.gross, value, 0.011 + trade.price * 0.0001);
  if (trade.fxRate !== null) {
    const ways = [trade.forexGross! * trade.fxRate, trade.forexGross! / trade.fxRate];
    near("rate", Math.min(...ways.map((way) => Math.abs(way - trade.gross))), 0);
  }
  if (trade.settlementDate! <= trade.tradeDate) problems.push("settles before it is traded");
  return problems;
}

function isValidIsin(isin: string): boolean {
  const digits = [...isin].map((char) => Number.parseInt(char, 36)).join("");
  let sum = 0;
  [...digits].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return /^[A-Z]{2}[A-Z0-9]{9}\d$/u.test(isin) && sum % 10 === 0;
}
