/** Account, holder, broker and reference: who traded, according to the document. */
import type { TextLine } from "../layout/text-line.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { SecurityCode } from "../values/security-code.ts";
import type { AccountType } from "./extraction.ts";

/** A code beside its label is more reliable than a name. */
const CODE_SCORE = 0.6;
const TEXT_SCORE = 0.5;
/** Penalty per word: the name of a firm is short. */
const PER_WORD = 0.1;

export interface Parties {
  reference: SecurityCode | null;
  account: SecurityCode | null;
  holder: SecurityCode | null;
  broker: SecurityCode | null;
  accountType: AccountType | null;
}

const HEAD_LINES = 60;

export function findParties(lines: readonly TextLine[], from: number, to: number): Parties {
  const block = lines.slice(from, to);
  const head = lines.slice(0, HEAD_LINES);
  const broker = brokerOf(lines);
  const holder = labelledText(head, "holder") ?? addresseeOf(head, broker);
  return {
    reference: labelledCode(block, "reference") ?? labelledCode(head, "reference"),
    account: labelledCode(head, "account") ?? labelledCode(block, "account"),
    holder,
    broker,
    accountType: clientTypeOf(head) ?? (holder ? accountTypeOf(holder.text) : null),
  };
}

/** The first word with a digit to the right of the label; it may contain letters, digits and dashes. */
function labelledCode(lines: readonly TextLine[], concept: Concept): SecurityCode | null {
  for (const line of lines) {
    for (const label of line.labels) {
      if (!label.value.some((hit) => hit.concept === concept) || isPageWord(label.phrase)) continue;
      const found = codeAfter(line, label.end);
      if (found) return found;
    }
  }
  return null;
}

const PAGE_WORDS = new Set(
  "seite blatt page pagina side sida sivu strona strana limit limite limiet stop telefon tel fax telefax phone telephone telefono telefoon telefone lei abs paragraph blz bic".split(
    " ",
  ),
);

function isPageWord(phrase: string): boolean {
  return PAGE_WORDS.has(phrase);
}

function codeAfter(line: TextLine, from: number): SecurityCode | null {
  const rest = line.text.slice(from);
  const lead = /^[\s.:#°º-]{0,8}/.exec(rest)![0].length;
  const code = /^[A-Za-z0-9][A-Za-z0-9/-]{2,39}/.exec(rest.slice(lead))?.[0];
  if (!code || !/[0-9]{3}/.test(code)) return null;
  const start = from + lead;
  if (line.dates.some((date) => date.start === start)) return null;
  return { text: code, line: line.index, start, end: start + code.length, score: CODE_SCORE };
}

function labelledText(lines: readonly TextLine[], concept: Concept): SecurityCode | null {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const label = line.labels.find((candidate) =>
      candidate.value.some((hit) => hit.concept === concept),
    );
    if (!label) continue;
    const right = nameIn(line, label.end);
    if (right) return right;
    const below = lines[i + 1];
    const under =
      below && below.numbers.length === 0 && below.labels.length === 0 ? nameIn(below, 0) : null;
    if (under) return under;
  }
  return null;
}

function nameIn(line: TextLine, from: number): SecurityCode | null {
  const rest = line.text.slice(from);
  const lead = /^[\s:]{0,8}/.exec(rest)![0].length;
  const text = rest.slice(lead).trim();
  if (text.length < 4 || text.length > 80 || !/^[\p{L}.,'& -]+$/u.test(text)) return null;
  return {
    text,
    line: line.index,
    start: from + lead,
    end: from + lead + text.length,
    score: TEXT_SCORE,
  };
}

/** An address is printed near the top of the first page; street and district take up to three lines. */
const ADDRESS_LINES = 30;
const STREET_LINES = 3;
const POSTCODE = /^(?:[A-Z]{1,2}-)?\d{4,6} \p{L}|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/u;
const PERSON_NAME =
  /^(?:\p{Lu}[\p{L}.'-]*)(?: (?:\p{Lu}[\p{L}.'-]*|&|und|and|et|van|von|de|da|di)){1,5}$/u;

/**
 * Finds the name above a street and a postcode: most banks name the client only there. If the bank prints its
 * own address, it is above the client's.
 */
function addresseeOf(head: readonly TextLine[], broker: SecurityCode | null): SecurityCode | null {
  const page = head.filter((line) => line.page === head[0]?.page).slice(0, ADDRESS_LINES);
  const names = page.map((line, index) => {
    const below = page.slice(index + 1, index + 2 + STREET_LINES);
    const postcode = below.findIndex((other) => POSTCODE.test(other.text.trim()));
    if (postcode < 1 || line.labels.length > 0 || line.index === broker?.line) return null;
    const name = nameIn(line, 0);
    return name !== null && PERSON_NAME.test(name.text) ? name : null;
  });
  return names.findLast((name) => name !== null) ?? null;
}

const LEGAL_FORMS = new Set(
  "ag gmbh ltd limited llc inc plc sa spa nv bv se kg kgaa ab asa aps oyj oy sarl sas bank banca banque banco banka bankas securities brokers brokerage".split(
    " ",
  ),
);

const brokersBefore = new WeakMap<readonly TextLine[], SecurityCode | null>();

/** All trades of a document share one broker. */
function brokerOf(lines: readonly TextLine[]): SecurityCode | null {
  const known = brokersBefore.get(lines);
  if (known !== undefined) return known;
  const found = findBroker(lines);
  brokersBefore.set(lines, found);
  return found;
}

/** Finds the line at the top or bottom of the page that names a company and little else. */
function findBroker(lines: readonly TextLine[]): SecurityCode | null {
  let best: SecurityCode | null = null;
  for (const line of lines) {
    if (
      line.words.length === 0 ||
      line.words.length > 9 ||
      line.codes.length > 0 ||
      line.numbers.length > 2
    )
      continue;
    const isHead = line.lineOfPage < 6;
    const forms = line.words.filter((word) => LEGAL_FORMS.has(word.text)).length;
    if (forms === 0) continue;
    const score = forms + (isHead ? 1 : 0) - line.words.length * PER_WORD;
    const text = line.text.trim();
    if (!best || score > best.score)
      best = { text, line: line.index, start: 0, end: line.text.length, score };
  }
  return best;
}

const CLIENT_LINE =
  /^\s*(?:client|customer|investor|kunde|kundin|cliente|klant)\b[^:]{0,20}:\s*(\S.*)$/iu;

/** What kind of client a note names, if it is not a person; a trust must not be booked as somebody's own account. */
function clientTypeOf(head: readonly TextLine[]): AccountType | null {
  for (const line of head) {
    const client = CLIENT_LINE.exec(line.text)?.[1];
    const type = client === undefined ? null : accountTypeOf(client);
    if (type !== null && type !== "individual") return type;
  }
  return null;
}

const TRUSTS = new Set("trust trustee trustees foundation stiftung".split(" "));
const COMPANIES = new Set("gmbh ag ltd limited llc inc plc s.a b.v kg".split(" "));
const ANDS = new Set("und and & et en y e".split(" "));

function accountTypeOf(holder: string): AccountType {
  const words = holder
    .toLowerCase()
    .split(/[^\p{L}.&]+/u)
    .map((word) => word.replace(/\.$/, ""));
  if (words.some((word) => TRUSTS.has(word))) return "trust";
  if (words.some((word) => COMPANIES.has(word))) return "corporate";
  if (words.some((word) => ANDS.has(word))) return "joint";
  return "individual";
}
