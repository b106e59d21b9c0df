/**
 * Which mail becomes a document. The first rule that matches decides; a rule that cannot be run is
 * skipped and told, as is one whose pattern takes too long.
 */
import { createContext, Script } from "node:vm";

export type MailAction = "AutoSave" | "Ignore" | "ReviewRequired";

export interface MailRule {
  readonly name: string;
  readonly type: "Exclude" | "Include" | "Route";
  /** Lower ones come first. */
  readonly priority: number;
  readonly field: MailField;
  /** A regular expression; case does not matter. */
  readonly pattern: string;
}

export const MAIL_FIELDS = [
  "subject",
  "from",
  "to",
  "cc",
  "body",
  "attachmentname",
  "regardingtype",
] as const;
export type MailField = (typeof MAIL_FIELDS)[number];

/** What is known of a mail; a field that is not known yet is absent, one that is empty has no texts. */
export type MailFacts = Readonly<Partial<Record<MailField, readonly string[]>>>;

export type MailDecision =
  | { readonly action: MailAction; readonly rule: string | null }
  /** A rule asks for what is not known yet. */
  | { readonly needs: MailField };

const ACTIONS = { Exclude: "Ignore", Include: "AutoSave", Route: "ReviewRequired" } as const;

export function decideMail(
  rules: readonly MailRule[],
  facts: MailFacts,
  defaultAction: MailAction,
  onSkipped: (rule: MailRule, why: string) => void = () => {},
): MailDecision {
  const inOrder = [...rules].sort((a, b) => a.priority - b.priority);
  for (const rule of inOrder) {
    const texts = facts[rule.field];
    if (texts === undefined) return { needs: rule.field };
    const answer = matchesAny(rule.pattern, texts);
    if (typeof answer === "string") onSkipped(rule, answer);
    else if (answer) return { action: ACTIONS[rule.type], rule: rule.name };
  }
  return { action: defaultAction, rule: null };
}

const PATTERN_MS_MAX = 100;
const TEXT_MAX = 10_000;

const sandbox = createContext({ pattern: "", texts: [] as string[] });
const search = new Script("texts.some((text) => new RegExp(pattern, 'i').test(text))");

/** Patterns come from people, texts from strangers: together they can take for ever, so time is cut. */
function matchesAny(pattern: string, texts: readonly string[]): boolean | string {
  Object.assign(sandbox, { pattern, texts: texts.map((text) => text.slice(0, TEXT_MAX)) });
  try {
    return search.runInContext(sandbox, { timeout: PATTERN_MS_MAX }) === true;
  } catch (error) {
    return (error as Error).message;
  }
}
