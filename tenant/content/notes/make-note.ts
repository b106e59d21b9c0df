import { createRandom, type Random } from "../../random.ts";
import type { Tagged } from "./blocks.ts";
import { chooseLabels } from "./choose-labels.ts";
import { composeNote, documentTypeOf, titleOf } from "./compose-note.ts";
import { addWorkingDays, dateStylesOf, numberStyleOf } from "./locale.ts";
import { KINDS, type Kind, type Note, type NoteRequest, type Source } from "./note.ts";
import { printPaper } from "./paper.ts";
import { createPen, textOf } from "./pen.ts";
import { scanNote } from "./scan.ts";
import { createSheet } from "./sheet.ts";
import { SKINS, type Skin } from "./skins.ts";
import { type InventedTrade, inventTrade } from "./trade.ts";
import { setBlock } from "./typeset.ts";
import type { Writer } from "./writer.ts";

const PASSWORD = "sample-password";

/**
 * Makes a broker's document and records its true values. The same request always gives the same bytes; what
 * the request leaves open is drawn from its seed.
 */
export async function makeNote(request: NoteRequest): Promise<Note> {
  const random = createRandom(`note/${request.seed}`);
  const skin = chooseSkin(random.fork("skin"), request);
  const kind = request.kind ?? random.fork("kind").pick(KINDS);
  const variant = request.variant ?? "plain";
  const writer = createWriter(random.fork("words"), skin, request);
  const trades = inventTrades(random.fork("trades"), writer, kind, request);
  const title = titleOf(writer.labels, kind);
  const day = trades.at(-1)!.truth.settlementDate ?? trades.at(-1)!.truth.tradeDate;
  const createdAt = new Date(`${day}T06:00:00Z`);
  const pen = createPen({
    paper: skin.paper,
    title,
    author: skin.broker[0],
    createdAt,
    isTurned: variant === "rotated",
    ...(variant === "encrypted" ? { password: PASSWORD } : {}),
  });
  const onTagged = (tagged: Tagged, source: Source) => {
    trades[tagged.trade]!.truth.sources[tagged.field] ??= source;
  };
  const paper = { pen, writer, client: request.client, day, random: random.fork("paper") };
  const sheet = createSheet({ pen, skin, onTagged, onNewPage: () => printPaper(paper) });
  for (const block of composeNote(writer, random.fork("page"), kind, trades))
    setBlock(sheet, block);

  const printed = await pen.finish();
  const documentType = documentTypeOf(kind);
  const isTrade = ["contract-note", "statement", "cancellation", "amendment"].includes(
    documentType,
  );
  return {
    pdf: variant === "scanned" ? await scanNote(pen, random.fork("scan"), createdAt) : printed,
    fileName: fileNameOf(random.fork("file"), title, trades[0]!),
    text: textOf(pen.marks()),
    skin: skin.id,
    language: writer.language,
    kind,
    variant,
    password: variant === "encrypted" ? PASSWORD : null,
    truth: { documentType, trades: isTrade ? trades.map((trade) => trade.truth) : [] },
  };
}

function chooseSkin(random: Random, request: NoteRequest): Skin {
  const { skin: id, language, kind } = request;
  if (id !== undefined) {
    const named = SKINS.find((skin) => skin.id === id);
    if (named !== undefined) return named;
    throw new Error(
      `no skin is called ${id}; there are ${SKINS.map((skin) => skin.id).join(", ")}`,
    );
  }
  if (kind === "pence") return random.pick(SKINS.filter((skin) => skin.currency === "GBP"));
  if (language === undefined) return random.pick(SKINS);
  return random.pick(SKINS.filter((skin) => skin.languages.includes(language)));
}

function createWriter(random: Random, skin: Skin, request: NoteRequest): Writer {
  const language = request.language ?? random.pick(skin.languages);
  const traps = request.traps ?? [];
  const styles = skin.dates ?? dateStylesOf(language);
  return {
    language,
    skin,
    labels: chooseLabels(language, (ways) => random.pick(ways)),
    numbers: skin.numbers ?? numberStyleOf(language),
    dates: traps.includes("ambiguous-date") ? styles[0]! : random.pick(styles),
    traps,
  };
}

function inventTrades(
  random: Random,
  writer: Writer,
  kind: Kind,
  request: NoteRequest,
): InventedTrade[] {
  const { skin, language } = writer;
  const currency = kind === "pence" ? "GBP" : language === "sv" ? "SEK" : skin.currency;
  const wish = { kind, currency, localIdLabel: skin.localIdLabel };
  const first = inventTrade(random.fork("0"), { ...wish, request, index: 0 });
  const trades = [first];
  let tradeDate = first.truth.tradeDate;
  for (let index = 1; index < countOf(random.fork("count"), kind, request); index++) {
    const fork = random.fork(String(index));
    if (kind === "statement" && fork.chance(0.8)) tradeDate = addWorkingDays(tradeDate, 1);
    const next = { ...request, tradeDate, account: first.truth.account, reference: undefined };
    trades.push(inventTrade(fork, { ...wish, request: next, index }));
  }
  return trades;
}

function countOf(random: Random, kind: Kind, request: NoteRequest): number {
  if (kind === "two-trades") return 2;
  return kind === "statement" ? (request.trades ?? 4 + random.below(9)) : 1;
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
