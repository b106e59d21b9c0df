import { FactsInput } from "../../trades/facts-input.ts";
import { CommandError, EXIT } from "../base/exit.ts";

const NAMES = Object.keys(FactsInput.shape);
const NUMBERS = new Set("quantity price gross fees taxes net forexGross fxRate".split(" "));
const FLAGS = new Set("isPercentQuoted isCancelled isAmendment".split(" "));

/** Parses `quantity=100 ticker=AAPL`; an empty value means that the document does not state the fact. */
export function readFacts(facts: readonly string[]): Record<string, unknown> {
  const read = Object.fromEntries(
    facts.map((fact) => {
      const at = fact.indexOf("=");
      if (at < 1) throw wrong(`expected name=value, got ${fact}`);
      return [fact.slice(0, at), readValue(fact.slice(0, at), fact.slice(at + 1))];
    }),
  );
  assertFacts(read, "the trade");
  return read;
}

/** Ends the command with the first fact that a trade cannot have. */
export function assertFacts(facts: unknown, what: string): void {
  const parsed = FactsInput.safeParse(facts);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  if (issue!.code === "unrecognized_keys")
    throw wrong(`${what} has no ${issue!.keys.join(", ")}; known are ${NAMES.join(", ")}`);
  const name = String(issue!.path[0] ?? "");
  const given = (facts as Record<string, unknown> | null)?.[name];
  throw wrong(`${what} cannot have ${name} ${JSON.stringify(given)}: ${expectationOf(name)}`);
}

function readValue(name: string, text: string): unknown {
  if (text === "null" || text === "") return null;
  if (FLAGS.has(name)) return text === "true" ? true : text === "false" ? false : text;
  return NUMBERS.has(name) && text.trim() !== "" && Number.isFinite(Number(text))
    ? Number(text)
    : text;
}

function expectationOf(name: string): string {
  if (NUMBERS.has(name)) return "it must be a number, with a point for decimals";
  if (FLAGS.has(name)) return "it must be true or false";
  if (name === "direction") return "it must be BUY or SELL";
  if (name === "accountType") return "it must be individual, joint, trust, corporate or other";
  if (/date$/i.test(name)) return "it must be a date such as 2026-01-31";
  if (name === "tradeTime") return "it must be a time such as 09:30";
  if (/currency$/i.test(name)) return "it must be three capital letters, such as EUR";
  return "it must be a text of at most 300 characters";
}

const wrong = (message: string): CommandError => new CommandError(message, EXIT.usage);
