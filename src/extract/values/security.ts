/** The security of a block: identifiers with their labels, and the name beside them. */
import type { TextLine } from "../layout/text-line.ts";
import type { Concept } from "../lexicon/labels.ts";
import { isCusip, isSedol, isValor, isWkn, nationalNumber } from "../text/identifiers.ts";
import type { SecurityCode, SecurityFound } from "./security-code.ts";
import { findTicker } from "./ticker.ts";

/**
 * How likely a code belongs to the security. A right check digit outweighs everything except an account
 * beside it, because one code in ten passes by chance.
 */
const CODE = {
  checked: 2,
  unchecked: 0.6,
  labelled: 1,
  labelledAbove: 0.7,
  /** The label directly before the code; further codes of the line have other labels or none. */
  labelledBeside: 0.3,
  under: 0.7,
  bare: 0.7,
  inSentence: 0.6,
  ofAccount: 1.2,
  name: 0.6,
  nameGuessed: 0.3,
} as const;

/** `rows` are the lines with the trade's own numbers, if they are known. */
export function findSecurity(
  lines: readonly TextLine[],
  rows: readonly TextLine[] = lines,
): SecurityFound {
  const isin = pickIsin(lines);
  const near = isin ? isin.line : null;
  const found: SecurityFound = {
    isin,
    wkn: pickLabelled(lines, "wkn", near, isWkn),
    valor: pickLabelled(lines, "valor", near, isValor) ?? (isin ? null : pickGrouped(lines)),
    sedol: pickLabelled(
      lines,
      "sedol",
      near,
      (text) => /^[0-9B-Z]{7}$/.test(text) && isSedol(text),
    ),
    cusip:
      pickLabelled(lines, "cusip", near, (text) => /^(?=.*[0-9])[0-9A-Z]{9}$/.test(text)) ??
      pickCode(lines, "cusip"),
    ticker: null,
    name: null,
  };
  found.ticker = findTicker(lines, rows, isin !== null || found.wkn !== null);
  if (isin && !found.wkn) found.wkn = bareWkn(lines, isin);
  found.name = pickName(lines, found);
  return found;
}

function has(line: TextLine, concept: Concept): boolean {
  return line.labels.some((label) => label.value.some((hit) => hit.concept === concept));
}

function pickIsin(lines: readonly TextLine[]): SecurityCode | null {
  let best: SecurityCode | null = null;
  lines.forEach((line, i) => {
    for (const code of line.codes) {
      if (code.kind === "cusip") continue;
      let score = code.kind === "isin" ? CODE.checked : CODE.unchecked;
      if (has(line, "isin") || has(line, "wkn") || has(line, "valor")) score += CODE.labelled;
      else if (lines[i - 1] && (has(lines[i - 1]!, "isin") || has(lines[i - 1]!, "wkn")))
        score += CODE.labelledAbove;
      if (isBesideLabel(line, code.start)) score += CODE.labelledBeside;
      if (line.words.length > 16) score -= CODE.inSentence;
      if (has(line, "account") || line.words.some(isOfFirm)) score -= CODE.ofAccount;
      if (!best || score > best.score)
        best = { text: code.text, line: line.index, start: code.start, end: code.end, score };
    }
  });
  return best;
}

/** "Valor 1234567, DE000…, ISIN CH0…": only the last code has the label. */
function isBesideLabel(line: TextLine, start: number): boolean {
  return line.labels.some(
    ({ end, value }) =>
      end <= start &&
      /^[ :.()-]*$/.test(line.folded.slice(end, start)) &&
      value.some(({ concept }) => concept === "isin"),
  );
}

/** True beside an account or the bank's own tax number. */
function isOfFirm({ text }: { text: string }): boolean {
  return text === "iban" || text === "ust" || text === "ustid" || text === "ustidnr";
}

function pickCode(lines: readonly TextLine[], kind: "cusip"): SecurityCode | null {
  for (const line of lines) {
    const code = line.codes.find((candidate) => candidate.kind === kind && isCusip(candidate.text));
    if (code)
      return {
        text: code.text,
        line: line.index,
        start: code.start,
        end: code.end,
        score: CODE.bare,
      };
  }
  return null;
}

/** Finds a matching word to the right of the label, or below it on one of the next three lines. */
function pickLabelled(
  lines: readonly TextLine[],
  concept: Concept,
  near: number | null,
  fits: (text: string) => boolean,
): SecurityCode | null {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const label = line.labels.find((candidate) =>
      candidate.value.some((hit) => hit.concept === concept),
    );
    if (!label) continue;
    const right = firstFit(line, label.end, fits);
    if (right) return right;
    for (let k = 1; k <= 3; k++) {
      const below = lines[i + k];
      if (!below) break;
      if (near !== null && Math.abs(below.index - near) > 2) continue;
      const under = lastFit(below, fits);
      if (under) return { ...under, score: CODE.under };
    }
  }
  return null;
}

function firstFit(
  line: TextLine,
  from: number,
  fits: (text: string) => boolean,
): SecurityCode | null {
  for (const word of line.words) {
    if (word.start < from) continue;
    const text = line.text.slice(word.start, word.end);
    if (fits(text) && !isDateOrAmount(line, word.start))
      return { text, line: line.index, start: word.start, end: word.end, score: 1 };
  }
  return null;
}

function lastFit(line: TextLine, fits: (text: string) => boolean): SecurityCode | null {
  for (let i = line.words.length - 1; i >= 0; i--) {
    const word = line.words[i]!;
    const text = line.text.slice(word.start, word.end);
    if (fits(text) && !isDateOrAmount(line, word.start))
      return { text, line: line.index, start: word.start, end: word.end, score: 1 };
  }
  return null;
}

/** "Security no. 1/011,704,497": a number in groups of three beside words for a security and for a number. */
const GROUPED =
  /\b(?:secur|valor|valeur|wertpapier|titel|titre|titol)[a-z]*[ .-]*(?:nr|no|num[a-z]*|n)\b[ .:°]*(?:\d\/|\d\d\/)?0{0,2}(\d{1,3}[,.' ]\d{3}(?:[,.' ]\d\d\d)?)(?![,.']?\d)/;

function pickGrouped(lines: readonly TextLine[]): SecurityCode | null {
  for (const line of lines) {
    const found = GROUPED.exec(line.folded);
    const text = found?.[1]?.replace(/\D/g, "");
    if (!found || !text || !isValor(text)) continue;
    const end = found.index + found[0].length;
    return { text, line: line.index, start: end - found[1]!.length, end, score: CODE.bare };
  }
  return null;
}

function isDateOrAmount(line: TextLine, at: number): boolean {
  if (line.dates.some((date) => at >= date.start && at < date.end)) return true;
  return line.numbers.some(
    (token) => at >= token.start && at < token.end && token.raw.length > token.digits,
  );
}

/** Finds an unlabelled WKN (German securities number) beside its ISIN. */
function bareWkn(lines: readonly TextLine[], isin: SecurityCode): SecurityCode | null {
  const national = nationalNumber(isin.text).wkn;
  for (const line of lines) {
    if (Math.abs(line.index - isin.line) > 2) continue;
    for (const word of line.words) {
      const text = line.text.slice(word.start, word.end);
      if (text.length !== 6 || !isWkn(text)) continue;
      if (
        text === national ||
        (line.index === isin.line &&
          !isDateOrAmount(line, word.start) &&
          /[A-Z]/.test(text) &&
          /[0-9]/.test(text))
      ) {
        return {
          text,
          line: line.index,
          start: word.start,
          end: word.end,
          score: text === national ? 1 : CODE.unchecked,
        };
      }
    }
  }
  return null;
}

function pickName(lines: readonly TextLine[], found: SecurityFound): SecurityCode | null {
  for (const line of lines) {
    const label = line.labels.find((candidate) =>
      candidate.value.some((hit) => hit.concept === "name"),
    );
    if (!label) continue;
    const next = line.labels.find((candidate) => candidate.start > label.end);
    const name = bareName(line, label.end, next?.start ?? line.text.length);
    if (name !== null && name.text.length > 3 && /\p{L}{2}/u.test(name.text))
      return { ...name, score: CODE.name };
  }
  const anchor = found.isin ?? found.wkn ?? found.cusip;
  const line = anchor && lines.find((candidate) => candidate.index === anchor.line);
  if (!anchor || !line) return null;
  const name = bareName(line, 0, anchor.start);
  return name !== null && name.text.length > 5 && /\p{L}{2}/u.test(name.text)
    ? { ...name, score: CODE.nameGuessed }
    : null;
}

/** What is between the two places, without what a row prints around the name: dates, the direction, other codes, dots. */
function bareName(line: TextLine, from: number, to: number): Omit<SecurityCode, "score"> | null {
  const around = [
    ...line.dates,
    ...line.times,
    ...line.directions,
    ...line.codes,
    ...line.labels.filter(({ value }) => value.every(({ concept }) => concept !== "name")),
  ];
  let [start, end] = [from, to];
  for (let isShorter = true; isShorter && start < end; ) {
    const [startBefore, endBefore] = [start, end];
    start += /^[\s.:,;_|*-]*/.exec(line.text.slice(start, end))![0].length;
    end = start + line.text.slice(start, end).replace(/[\s:,;_|(-]*$|\s*\.{2,}$/, "").length;
    const first = around.find((token) => token.start <= start && token.end > start);
    if (first !== undefined) start = Math.min(first.end, end);
    const last = around.find((token) => token.start < end && token.end >= end);
    if (last !== undefined) end = Math.max(last.start, start);
    isShorter = start !== startBefore || end !== endBefore;
  }
  const text = line.text.slice(start, end);
  return text === "" ? null : { text, line: line.index, start, end };
}
