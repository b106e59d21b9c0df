/** `postroom extract --decided`: the report on documents whose trades people decided, read again from the archive. */
import type { TruthTrade } from "../../evaluate/truth/judge.ts";
import { type ApiClient, ApiError, withApi } from "../base/client.ts";
import type { Output } from "../base/output.ts";
import type { KnownRow } from "./extract-report.ts";

type Facts = Readonly<Record<string, string | number | boolean | null>>;

interface Decided {
  readonly documentId: string;
  readonly sender: string;
  readonly lines: readonly { readonly decided: Facts | null }[];
}

/** A document with the trades that were booked from it. All senders of a domain are one family. */
export interface DecidedRow extends KnownRow {
  readonly bytes: Buffer;
}

/** Leaves out documents whose file was removed after its retention, and says how many. */
export async function readDecided(output: Output): Promise<DecidedRow[]> {
  return withApi(async (api) => {
    const documents = await api.rows<Decided>("/api/decided", "documents");
    const rows: DecidedRow[] = [];
    for (const one of documents) {
      const bytes = await fileOf(api, one.documentId);
      if (bytes !== null) rows.push({ ...rowOf(one), bytes });
    }
    const gone = documents.length - rows.length;
    if (gone > 0) output.note(`${gone} documents are left out: their files were removed`);
    return rows;
  });
}

async function fileOf(api: ApiClient, documentId: string): Promise<Buffer | null> {
  try {
    return await api.file(`/api/notes/${documentId}/content`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function rowOf({ documentId, sender, lines }: Decided): KnownRow {
  const transactions = lines.flatMap(({ decided }) => (decided ? [truthOf(decided)] : []));
  return { file: documentId, family: sender.split("@").at(-1)!, transactions };
}

function truthOf(facts: Facts): TruthTrade {
  const text = (name: string) => (facts[name] ?? null) as string | null;
  const number = (name: string) => (facts[name] ?? null) as number | null;
  return {
    type: text("direction") ?? "",
    date: text("tradeDate"),
    isin: text("isin"),
    wkn: text("wkn") ?? text("valor") ?? text("cusip") ?? text("sedol"),
    ticker: text("ticker"),
    shares: number("quantity"),
    currency: text("currency"),
    amount: number("net"),
    gross: number("gross"),
    forex_gross: number("forexGross"),
    fees: number("fees"),
    taxes: number("taxes"),
  };
}
