import { describe, expect, it } from "vitest";
import type { ExtractedTrade, Extraction } from "../../extract/answer/extraction.ts";
import { contentOf } from "./content-of-extraction.ts";

const trade = (change: Partial<ExtractedTrade> = {}): ExtractedTrade => ({
  direction: "BUY",
  tradeDate: "2026-02-04",
  security: { isin: "US0378331005" },
  quantity: 100,
  quantityText: "100",
  isPercentQuoted: false,
  gross: 100,
  fees: [
    { label: "fee", amount: 1.1 },
    { label: "fee", amount: 2.2 },
  ],
  taxes: [],
  net: 103.3,
  currency: "USD",
  fx: {},
  isCancellation: false,
  isReversal: false,
  perField: {},
  confidence: 0.995,
  reasons: [],
  canAutoConfirm: true,
  canBeSeconded: true,
  ...change,
});

const content = (
  trades: ExtractedTrade[],
  type: Extraction["documentType"] = "contract-note",
  text = "",
) =>
  contentOf(
    { documentType: type, documentTypeReason: "says so", trades, confidence: 1, reasons: [] },
    { pages: [], text },
  );

describe("the content of a document", () => {
  it("sums charges to the cent and leaves absent facts null", () => {
    const [line] = content([trade()]).lines;
    expect(line!.facts).toMatchObject({
      fees: 3.3,
      taxes: 0,
      reference: null,
      price: null,
      isCancelled: false,
    });
    expect(line).toMatchObject({ isSure: true, doubts: [] });
  });

  it("leaves out a currency exchange and notes it [X-05] [R50]", () => {
    const pairs = [
      trade({ security: { ticker: "USD.SGD" } }),
      trade({ security: { name: "EUR/USD" } }),
      trade(),
    ];
    const { lines, notes } = content(pairs, "activity-statement");
    expect(lines).toHaveLength(1);
    expect(notes.filter((note) => note.startsWith("left out"))).toHaveLength(2);
    expect(
      content([trade({ security: { ticker: "ABC.DEF", isin: "US0378331005" } })]).lines,
    ).toHaveLength(1);
  });

  it("doubts a value that is not printed where it was read", () => {
    const perField = { net: { value: "1", confidence: 1, source: null, isGrounded: false } };
    expect(content([trade({ perField })]).lines[0]!.doubts).toEqual([
      "net is not printed where it was read",
    ]);
  });

  it("says how sure a reading is only where that was measured", () => {
    const field = { value: "1", confidence: 0.7, source: null, isGrounded: true };
    const [line] = content([trade({ perField: { net: field, reference: field } })]).lines;
    expect(line!.evidence).toMatchObject({
      net: { confidence: 0.7 },
      reference: { value: "1", confidence: null },
    });
  });

  it("asks about figures that add up like a trade, whatever the document calls itself [X-05]", () => {
    const near = { trades: [], isNearTrade: true, confidence: 1, reasons: [] };
    const dividend = { ...near, documentType: "dividend", documentTypeReason: "says so" } as const;
    expect(contentOf(dividend, { pages: [], text: "" }).missing).toMatch(/add up like a trade/);
  });

  it("asks about a missing trade in a contract note or in a document of unknown type that mentions trading a security, but not in a dividend [X-05] [R30]", () => {
    expect(content([], "dividend", "ISIN US0378331005").missing).toBeNull();
    expect(content([], "activity-statement").missing).toBeNull();
    expect(content([], "other", "hello").missing).toBeNull();
    const talk = "Trades of the month\n4 May 2026 Bought Apple Inc US0378331005 100 at 180.50\n";
    expect(content([], "other", talk).missing).toMatch(/mentions buying or selling/);
    expect(content([], "account-statement", talk).missing).toBeNull();
    expect(content([], "other", talk.replace("1005", "1006")).missing).toBeNull();
    expect(content([], "other", "x US0378331005 y").missing).toBeNull();
    expect(content([], "contract-note").missing).toMatch(/no trade was found/);
  });

  it("keeps codes that may be references, reduced to letters and digits", () => {
    const { mentions } = content(
      [trade()],
      "contract-note",
      "refers to CN-934/947 of 12 May, tel 12",
    );
    expect(mentions).toEqual(["CN934947"]);
  });
});
