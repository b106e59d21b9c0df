/**
 * Decides whose trade it is. We know the people who placed orders and those who write from our own domains. Where
 * we keep neither orders nor domains, the sender counts as the trader.
 */
import type { Trader } from "../order.ts";
import { usernameOf } from "../trade.ts";

export interface TraderMatch {
  readonly username: string;
  /** 0 to 1. */
  readonly score: number;
  readonly method: "email" | "name" | "sender" | "none";
  readonly reason: string;
}

/** If the best name leads the second by less, nobody is chosen. */
const LEAD = 0.2;
const SURNAME_WEIGHT = 0.6;
const FORENAME_WEIGHT = 0.4;

export function matchTrader(options: {
  senderEmail: string;
  /** Mail from these domains comes from our own people. */
  firmDomains: readonly string[];
  holder: string | null;
  traders: readonly Trader[];
}): TraderMatch {
  const sender = options.senderEmail.trim().toLowerCase();
  const username = usernameOf(sender);
  const byEmail = options.traders.find((trader) => trader.email?.toLowerCase() === sender);
  if (byEmail !== undefined) {
    return { username: byEmail.username, score: 1, method: "email", reason: `sent by ${sender}` };
  }
  const byName = options.holder === null ? null : matchName(options.holder, options.traders);
  if (byName !== null && byName.score >= 0.8) return byName;
  const domain = sender.split("@")[1] ?? "";
  if (options.firmDomains.some((own) => own.toLowerCase() === domain)) {
    return { username, score: 0.95, method: "email", reason: `sent from ${domain}` };
  }
  if (options.traders.length === 0 && options.firmDomains.length === 0) {
    const reason = "no orders and no firm domains are kept, so the sender counts as the trader";
    return { username, score: 0.8, method: "sender", reason };
  }
  if (byName !== null) return byName;
  const reason =
    options.holder === null
      ? `${sender} is not known, and the document names no holder`
      : `neither ${sender} nor the holder ${options.holder} is known`;
  return { username, score: 0, method: "none", reason };
}

function matchName(holder: string, traders: readonly Trader[]): TraderMatch | null {
  const scored = traders
    .filter((trader) => trader.name !== null)
    .map((trader) => ({ trader, score: nameScore(holder, trader.name!) }))
    .sort((a, b) => b.score - a.score || a.trader.username.localeCompare(b.trader.username));
  const best = scored[0];
  if (best === undefined || best.score === 0) return null;
  const rival = scored.find((other) => other.trader.username !== best.trader.username);
  if (rival !== undefined && best.score - rival.score < LEAD) {
    const reason = `${best.trader.username} and ${rival.trader.username} match the holder equally well`;
    return { username: best.trader.username, score: 0, method: "none", reason };
  }
  const reason = `the holder's name matches ${best.trader.name}`;
  return { username: best.trader.username, score: best.score, method: "name", reason };
}

/** 1 for the same words in any order, less if only the surname and an initial agree. */
export function nameScore(one: string, two: string): number {
  const [a, b] = [wordsOf(one), wordsOf(two)];
  if (a.length === 0 || b.length === 0) return 0;
  if ([...a].sort().join(" ") === [...b].sort().join(" ")) return 1;
  const surname = Math.max(similarity(a.at(-1)!, b.at(-1)!), similarity(a[0]!, b.at(-1)!));
  if (surname < 0.8) return 0;
  const forename = a.some((word) => b[0] === word)
    ? 1
    : a.some((word) => word[0] === b[0]![0] && (word.length === 1 || b[0]!.length === 1))
      ? 0.7
      : 0;
  return SURNAME_WEIGHT * surname + FORENAME_WEIGHT * forename;
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
