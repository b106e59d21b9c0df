import { endDocument, recordDocument } from "../../src/ingestion/document-table.ts";
import type { SenderEvidence } from "../../src/ingestion/sender-evidence.ts";
import type { Database } from "../../src/store/database.ts";
import type { DocumentKind } from "../../src/trades/document-content.ts";
import type { NewOrder } from "../../src/trades/orders/order-table.ts";
import { routeDocument } from "../../src/trades/routing/route-document.ts";
import type { RoutedTradeLine } from "../../src/trades/routing/route-trade-line.ts";
import { NO_FACTS, type TradeFacts } from "../../src/trades/trade.ts";

/** A plain, complete purchase; a test says only what matters to it. */
export const aTrade = (facts: Partial<TradeFacts> = {}): TradeFacts => ({
  ...NO_FACTS,
  direction: "BUY",
  tradeDate: "2026-02-04",
  settlementDate: "2026-02-06",
  name: "Apple Inc.",
  isin: "US0378331005",
  ticker: "AAPL",
  quantity: 100,
  price: 180.5,
  priceCurrency: "USD",
  gross: 18_050,
  fees: 9.95,
  taxes: 0,
  net: 18_059.95,
  currency: "USD",
  account: "1234567",
  broker: "Sample Brokers",
  holder: "Laura de Burna",
  reference: "CN-1001",
  ...facts,
});

export const anOrder = (order: Partial<NewOrder> = {}): NewOrder => ({
  reference: "O-1",
  username: "ldeburna",
  userEmail: "ldeburna@firm.example",
  holderName: "Laura de Burna",
  direction: "BUY",
  ticker: "AAPL",
  isin: null,
  sedol: null,
  cusip: null,
  description: null,
  quantity: 100,
  limitPrice: 181,
  currency: "USD",
  placedOn: "2026-02-01",
  validUntil: "2026-02-28",
  ...order,
});

let documents = 0;

export interface Delivery {
  readonly lines: readonly (Partial<TradeFacts> & { confidence?: number; isSure?: boolean })[];
  readonly kind?: DocumentKind;
  /** Documents with the same words are copies. */
  readonly words?: string;
  readonly sender?: string;
  /** What vouches for the sender; by default Exchange's verdict for a mail that really is theirs. */
  readonly evidence?: SenderEvidence | null;
  readonly foundIn?: string;
  /** Codes in the document, reduced to letters and digits. */
  readonly mentions?: readonly string[];
  /** YYYY-MM-DD */
  readonly today?: string;
}

/** What Exchange writes about a mail that really comes from the domain. */
export const genuine = (
  sender: string,
  change: (results: string) => string = (results) => results,
): SenderEvidence => {
  const domain = sender.split("@")[1];
  const results = `spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=${domain}; firm.example; dkim=pass (signature was verified) header.d=${domain};firm.example; dmarc=pass action=none header.from=${domain};compauth=pass reason=100`;
  return {
    kind: "mail",
    authenticationResults: change(results),
    authAs: ["Anonymous"],
    sender,
  };
};

/** A document arrives, is read and routed. */
export async function deliver(database: Database, delivery: Delivery): Promise<RoutedTradeLine[]> {
  documents += 1;
  const words = delivery.words ?? `document ${documents}`;
  const kind = delivery.kind ?? "note";
  const sender = delivery.sender ?? "ldeburna@firm.example";
  const document = await recordDocument(database, {
    emailKey: `box|mail-${documents}`,
    sha256: String(documents).padStart(64, "0"),
    source: "graph_webhook",
    mailbox: "notes@firm.example",
    messageId: `mail-${documents}`,
    senderEmail: sender,
    senderEvidence: delivery.evidence === undefined ? genuine(sender) : delivery.evidence,
    receivedAt: new Date("2026-02-04T18:00:00Z"),
    filename: "note.pdf",
    sizeBytes: 1_000,
    foundIn: delivery.foundIn ?? "attachment",
  });
  return database.transaction(async (tx) => {
    await endDocument(tx, document.id, {
      status: "parsed",
      documentType: kind === "statement" ? "statement" : "contract-note",
      textSha256: words,
    });
    return routeDocument(tx, {
      document,
      kind,
      textHash: words,
      mentions: delivery.mentions ?? [],
      lines: delivery.lines.map(({ confidence = 0.95, isSure = true, ...facts }) => ({
        ...{ facts: aTrade(facts), confidence, isSure },
        doubts: [],
      })),
      firmDomains: ["firm.example"],
      today: delivery.today ?? "2026-02-10",
      workerId: "ts:test",
    });
  });
}
