/**
 * Decides whose trade it is: the sender's, if authenticated and known; otherwise that of the holder or
 * account on the document, if we know them.
 */
import { canonicalCode } from "../fingerprint.ts";
import type { Trader } from "../order.ts";
import { domainOf, normalizeAddress } from "../senders/sender.ts";
import { usernameOf } from "../trade.ts";

export interface TraderMatch {
  readonly username: string;
  /** 0 to 1. */
  readonly score: number;
  readonly method: "email" | "account" | "name" | "none";
  readonly reason: string;
}

/** If the best name is ahead of the second by less, nobody is chosen. */
const LEAD_MIN = 0.2;
/** From this score, the holder on the document decides even if the sender is one of our own people. */
const HOLDER_DECIDES_FROM = 0.8;
/** Our own mail server or sign-in proves the address, but the person is in none of our lists. */
const OWN_PERSON_SCORE = 0.95;
const SURNAME_WEIGHT = 0.6;
const FORENAME_WEIGHT = 0.4;
/** Surnames that are less alike than this are different names, not a typing error. */
const SURNAME_LIKENESS_MIN = 0.8;
const INITIAL_SCORE = 0.7;

export function matchTrader(options: {
  senderEmail: string;
  /** If false, the address proves nothing, and only the document says whose trade it is. */
  isAuthenticated: boolean;
  /** The sender signed in and uploaded the document for themselves. */
  isOwnUpload: boolean;
  /** Mail from these domains comes from our own people. */
  firmDomains: readonly string[];
  holder: string | null;
  account: string | null;
  traders: readonly Trader[];
}): TraderMatch {
  const { isAuthenticated, holder, traders } = options;
  const sender = normalizeAddress(options.senderEmail);
  const username = usernameOf(sender);
  const byEmail = traders.find(({ email }) => email !== null && normalizeAddress(email) === sender);
  if (isAuthenticated && byEmail !== undefined) {
    return { username: byEmail.username, score: 1, method: "email", reason: `sent by ${sender}` };
  }
  const byHolder = holder === null ? null : matchHolder(holder, options.account, traders);
  if (byHolder !== null && byHolder.score >= HOLDER_DECIDES_FROM) return byHolder;
  const domain = domainOf(sender);
  const isOurs = options.firmDomains.some((own) => domainOf(own) === domain);
  if (isAuthenticated && (isOurs || options.isOwnUpload)) {
    // Somebody else with the same name before the @ does not become that person.
    const namesake = traders.find(
      (trader) => trader.username === username && trader.email !== null,
    );
    if (namesake !== undefined) {
      const reason = `${username} is ${namesake.email}, not ${sender}`;
      return { username, score: 0, method: "none", reason };
    }
    const reason = isOurs ? `sent from ${domain}` : `uploaded by ${sender}`;
    return { username, score: OWN_PERSON_SCORE, method: "email", reason };
  }
  if (byHolder !== null) return byHolder;
  const who = isAuthenticated ? `${sender} is not a known person` : "the sender is not certain";
  const reason =
    holder === null
      ? `${who}, and the document names no holder`
      : `${who}, and the holder ${holder} is not known`;
  return { username, score: 0, method: "none", reason };
}

/** A known account decides; otherwise the name does. */
function matchHolder(
  holder: string,
  account: string | null,
  traders: readonly Trader[],
): TraderMatch | null {
  const number = account === null ? null : canonicalCode(account);
  const owners = traders.filter((trader) =>
    trader.accounts.some((own) => canonicalCode(own) === number),
  );
  const owner = owners[0];
  if (owner === undefined) return matchName(holder, traders);
  if (owners.some((other) => other.username !== owner.username)) {
    const reason = `account ${account} belongs to several known people`;
    return { username: owner.username, score: 0, method: "none", reason };
  }
  const reason = `account ${account} is ${owner.username}'s`;
  return { username: owner.username, score: 1, method: "account", reason };
}

function matchName(holder: string, traders: readonly Trader[]): TraderMatch | null {
  const scored = traders
    .filter((trader) => trader.name !== null)
    .map((trader) => ({ trader, score: nameScore(holder, trader.name!) }))
    .sort((a, b) => b.score - a.score || a.trader.username.localeCompare(b.trader.username));
  const best = scored[0];
  if (best === undefined || best.score === 0) return null;
  const rival = scored.find((other) => other.trader.username !== best.trader.username);
  if (rival !== undefined && best.score - rival.score < LEAD_MIN) {
    const reason = `${best.trader.username} and ${rival.trader.username} match the holder equally well`;
    return { username: best.trader.username, score: 0, method: "none", reason };
  }
  const reason = `the holder's name matches ${best.trader.name}`;
  return { username: best.trader.username, score: best.score, method: "name", reason };
}

/** 1 for the same words in any order, less if only the surname and an initial agree. */
export function nameScore(one: string, two: string): number {
  const [words, others] = [wordsOf(one), wordsOf(two)];
  if (words.length === 0 || others.length === 0) return 0;
  if ([...words].sort().join(" ") === [...others].sort().join(" ")) return 1;
  const surname = others.at(-1)!;
  const likeness = Math.max(similarity(words.at(-1)!, surname), similarity(words[0]!, surname));
  if (likeness < SURNAME_LIKENESS_MIN) return 0;
  return SURNAME_WEIGHT * likeness + FORENAME_WEIGHT * forenameScore(words, others[0]!);
}

function forenameScore(words: readonly string[], forename: string): number {
  if (words.includes(forename)) return 1;
  const isInitial = words.some(
    (word) => word[0] === forename[0] && (word.length === 1 || forename.length === 1),
  );
  return isInitial ? INITIAL_SCORE : 0;
}

const TITLES = new Set([
  "mr",
  "mrs",
  "ms",
  "miss",
  "dr",
  "prof",
  "herr",
  "frau",
  "m",
  "mme",
  "sir",
]);

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "" && !TITLES.has(word));
}

/** 1 minus the share of letters that differ. */
function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - editDistance(a, b) / longest;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
