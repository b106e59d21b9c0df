import { FactsInput } from "../../trades/facts-input.ts";
import { CommandError, EXIT } from "../base/exit.ts";

const NAMES = Object.keys(FactsInput.shape);
const NUMBERS = new Set("quantity price gross fees taxes net forexGross fxRate".split(" "));
const POSITIVE = new Set(["quantity", "price"]);
const FLAGS = new Set("isPercentQuoted isCancelled isAmendment".split(" "));

/** Parses `quantity=100 ticker=AAPL`; an empty value means that the document does not state the fact. */
export function readFacts(facts: readonly string[]): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const fact of facts) {
    const at = fact.indexOf("=");
    if (at < 1) throw wrong(`${fact} must have the form name=value, such as price=180.5`);
    const name = fact.slice(0, at);
    if (Object.hasOwn(read, name)) throw wrong(`${name} is given twice`);
    read[name] = readValue(name, fact.slice(at + 1));
  }
  assertFacts(read, "the trade");
  return read;
}

/** Names of facts, in the order in which a person reads a trade. */
export const inOrder = (names: readonly string[]): string[] => [
  ...NAMES.filter((name) => names.includes(name)),
  ...names.filter((name) => !NAMES.includes(name)),
];

/** Ends the command with the first fact that a trade cannot have. */
export function assertFacts(facts: unknown, what: string): void {
  const parsed = FactsInput.safeParse(facts);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  if (issue!.code === "unrecognized_keys")
    throw wrong(`${what} has no fact ${issue!.keys.join(", ")}; there are ${NAMES.join(", ")}`);
  const name = String(issue!.path[0] ?? "");
  const fact = (facts as Record<string, unknown> | null)?.[name];
  throw wrong(`${what} cannot have ${name} ${JSON.stringify(fact)}: ${expectationOf(name)}`);
}

function readValue(name: string, text: string): unknown {
  if (text === "null" || text === "") return null;
  if (FLAGS.has(name)) return text === "true" ? true : text === "false" ? false : text;
  return NUMBERS.has(name) && text.trim() !== "" && Number.isFinite(Number(text))
    ? Number(text)
    : text;
}

function expectationOf(name: string): string {
  if (POSITIVE.has(name)) return "it must be a number above 0, with a point for decimals";
  if (NUMBERS.has(name)) return "it must be a number of 0 or more, with a point for decimals";
  if (FLAGS.has(name)) return "it must be true or false";
  if (name === "direction") return "it must be BUY or SELL";
  if (name === "accountType") return "it must be individual, joint, trust, corporate or other";
  if (/date$/i.test(name)) return "it must be a date such as 2026-01-31";
  if (name === "tradeTime") return "it must be a time such as 09:30";
  if (/currency$/i.test(name)) return "it must be three capital letters, such as EUR";
  return "it must be at most 300 characters long";
}

const wrong = (message: string): CommandError => new CommandError(message, EXIT.usage);
