import { createRandom, type Random } from "../../random.ts";
import type { Block, Tagged } from "./blocks.ts";
import {
  composeAccountStatement,
  composeDividend,
  composeNewsletter,
  composeTax,
} from "./compose-others.ts";
import { composeStatement, composeTrade } from "./compose-trades.ts";
import { chooseLabels, type Labels } from "./labels.ts";
import { dateStylesOf, numberStyleOf } from "./locale.ts";
import {
  type DocumentType,
  KINDS,
  type Kind,
  type Note,
  type NoteRequest,
  type Source,
} from "./note.ts";
import { printPaper } from "./paper.ts";
import { createPen, textOf } from "./pen.ts";
import { createSheet } from "./sheet.ts";
import { SKINS, type Skin } from "./skins.ts";
import { type InventedTrade, inventTrade } from "./trade.ts";
import { setBlock } from "./typeset.ts";
import type { Writer } from "./writer.ts";

/**
 * Makes a broker's document and the truth about it. The same request always gives the same bytes;
 * what the request leaves open is drawn from its seed.
 */
export async function makeNote(request: NoteRequest): Promise<Note> {
  const random = createRandom(`note/${request.seed}`);
  const skin = chooseSkin(random.fork("skin"), request);
  const kind = request.kind ?? random.fork("kind").pick(KINDS);
  const variant = request.variant ?? "plain";
  const writer = createWriter(random.fork("words"), skin, request);
  const trades = inventTrades(random.fork("trades"), writer, kind, request);
  const blocks = compose(writer, random.fork("page"), kind, trades);
  const password = variant === "encrypted" ? "sample-password" : null;

  const createdAt = new Date(`${trades[0]!.truth.settlementDate}T06:00:00Z`);
  const title = titleOf(writer.labels, kind);
  const pen = createPen({
    paper: skin.paper,
    title,
    author: skin.broker[0],
    createdAt,
    isTurned: variant === "rotated",
    ...(password === null ? {} : { password }),
  });
  const paper = {
    pen,
    writer,
    client: request.client,
    day: trades[0]!.truth.settlementDate ?? "",
    random: random.fork("paper"),
  };
  const onTagged = (tagged: Tagged, source: Source) => {
    trades[tagged.trade]!.truth.sources[tagged.field] ??= source;
  };
  const sheet = createSheet({ pen, skin, onTagged, onNewPage: () => printPaper(paper) });
  for (const block of blocks) setBlock(sheet, block);

  const text = textOf(pen.marks());
  const documentType = documentTypeOf(kind);
  const hasTrades = !["dividend", "tax", "account-statement", "other"].includes(documentType);
  return {
    pdf: await pen.finish(),
    fileName: fileNameOf(random.fork("file"), title, trades[0]!),
    text,
    skin: skin.id,
    language: writer.language,
    kind,
    variant,
    password,
    truth: { documentType, trades: hasTrades ? trades.map((trade) => trade.truth) : [] },
  };
}

function chooseSkin(random: Random, request: NoteRequest): Skin {
  const named = SKINS.find((skin) => skin.id === request.skin);
  if (request.skin !== undefined && named === undefined) {
    throw new Error(
      `no skin is called ${request.skin}; there are ${SKINS.map((skin) => skin.id).join(", ")}`,
    );
  }
  if (named !== undefined) return named;
  const { language, kind } = request;
  const inPounds = SKINS.filter((skin) => skin.currency === "GBP");
  if (kind === "pence") return random.pick(inPounds);
  return random.pick(
    language === undefined ? SKINS : SKINS.filter((skin) => skin.languages.includes(language)),
  );
}

function createWriter(random: Random, skin: Skin, request: NoteRequest): Writer {
  const language = request.language ?? random.pick(skin.languages);
  return {
    language,
    skin,
    labels: chooseLabels(language, (ways) => random.pick(ways)),
    numbers: skin.numbers ?? numberStyleOf(language),
    dates: random.pick(skin.dates ?? dateStylesOf(language)),
  };
}

function inventTrades(
  random: Random,
  writer: Writer,
  kind: Kind,
  request: NoteRequest,
): InventedTrade[] {
  const count =
    kind === "statement" ? (request.trades ?? 4 + random.below(9)) : kind === "two-trades" ? 2 : 1;
  const currency =
    kind === "pence" ? "GBP" : writer.language === "sv" ? "SEK" : writer.skin.currency;
  const account = request.account;
  const first = inventTrade(random.fork("0"), { kind, currency, request, index: 0 });
  const rest = Array.from({ length: count - 1 }, (_, at) =>
    inventTrade(random.fork(String(at + 1)), {
      kind,
      currency,
      request: { ...request, account: account ?? first.truth.account, reference: undefined },
      index: at + 1,
    }),
  );
  return [first, ...rest];
}

function compose(writer: Writer, random: Random, kind: Kind, trades: InventedTrade[]): Block[] {
  const { labels, skin } = writer;
  const heading: Block = { kind: "heading", text: [titleOf(labels, kind)] };
  const legal: Block[] = [
    ...(skin.hasLegalPage ? [{ kind: "page-break" } as const] : []),
    { kind: "paragraph", text: [labels.legal], isSmall: true },
  ];
  return [heading, ...bodyOf(writer, random, kind, trades), ...legal];
}

function bodyOf(writer: Writer, random: Random, kind: Kind, trades: InventedTrade[]): Block[] {
  const { labels } = writer;
  const [first] = trades as [InventedTrade];
  if (kind === "statement") return composeStatement(writer, trades);
  if (kind === "dividend") return composeDividend(writer, random, first);
  if (kind === "tax") return composeTax(writer, random, first);
  if (kind === "account-statement") return composeAccountStatement(writer, random, first);
  if (kind === "newsletter") return composeNewsletter(writer, random);
  const bodies = trades.flatMap((trade, index) =>
    composeTrade(writer, random.fork(String(index)), trade, index),
  );
  if (kind !== "cancellation" && kind !== "amendment") return bodies;
  const opening = kind === "cancellation" ? labels.cancels : labels.replaces;
  return [{ kind: "paragraph", text: [`${opening} ${first.truth.refersTo}`] }, ...bodies];
}

const DOCUMENT_TYPES: Partial<Record<Kind, DocumentType>> = {
  statement: "statement",
  cancellation: "cancellation",
  amendment: "amendment",
  dividend: "dividend",
  tax: "tax",
  "account-statement": "account-statement",
  newsletter: "other",
};

function documentTypeOf(kind: Kind): DocumentType {
  return DOCUMENT_TYPES[kind] ?? "contract-note";
}

const TITLES: Partial<Record<Kind, keyof Labels>> = {
  "savings-plan": "savingsPlanTitle",
  statement: "statementTitle",
  cancellation: "cancellationTitle",
  amendment: "amendmentTitle",
  dividend: "dividendTitle",
  tax: "taxTitle",
  "account-statement": "accountTitle",
  newsletter: "newsletterTitle",
};

function titleOf(labels: Labels, kind: Kind): string {
  return labels[TITLES[kind] ?? "noteTitle"];
}

function fileNameOf(random: Random, title: string, trade: InventedTrade): string {
  const words = title.replace(/[^\p{L}\p{N}]+/gu, random.pick([" ", "_", "-"]));
  const { tradeDate, reference } = trade.truth;
  return random.pick([
    `${words} ${tradeDate}.pdf`,
    `${words}_${reference.replace(/\W/gu, "")}.pdf`,
    `${tradeDate.replaceAll("-", "")}_${words}.PDF`,
  ]);
}
