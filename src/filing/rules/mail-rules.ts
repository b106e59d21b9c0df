/**
 * Decides which mail is filed. The first rule that matches decides; a rule with an invalid pattern, or one
 * that takes too long, is skipped and reported.
 */
import { createContext, Script } from "node:vm";

export type MailAction = "AutoSave" | "Ignore" | "ReviewRequired";

export interface MailRule {
  readonly name: string;
  readonly type: "Exclude" | "Include" | "Route";
  /** Lower numbers come first. */
  readonly priority: number;
  readonly field: MailField;
  /** A regular expression that ignores case. */
  readonly pattern: string;
  /** Where a Route rule sends the mail; without a place a person decides. */
  readonly route?: MailRoute;
}

/** Another place than the usual one. */
export interface MailRoute {
  /** A drive id. */
  readonly containerId?: string | undefined;
  /** Like `sprk_matter:{id}`. */
  readonly parent?: string | undefined;
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

/** What is known about a message. A field that is not known yet is absent; an empty one has no texts. */
export type MailFacts = Readonly<Partial<Record<MailField, readonly string[]>>>;

export type MailDecision =
  | { readonly action: MailAction; readonly rule: string | null; readonly route?: MailRoute }
  /** A rule tests a field that is not known yet. */
  | { readonly needs: MailField; readonly action?: undefined; readonly rule?: undefined };

/** Only Exclude stops a message; a Route rule without a place files it and asks a person. */
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
    else if (answer) return decisionOf(rule);
  }
  return { action: defaultAction, rule: null };
}

function decisionOf({ type, name, route }: MailRule): MailDecision {
  if (type !== "Route" || route === undefined) return { action: ACTIONS[type], rule: name };
  return { action: "AutoSave", rule: name, route };
}

const PATTERN_MS_MAX = 100;
const TEXT_MAX = 10_000;

const sandbox = createContext({ pattern: "", texts: [] as string[] });
const search = new Script("texts.some((text) => new RegExp(pattern, 'i').test(text))");

/**
 * People write the patterns and strangers write the texts; together they can run forever, hence the timeout.
 */
function matchesAny(pattern: string, texts: readonly string[]): boolean | string {
  Object.assign(sandbox, { pattern, texts: texts.map((text) => text.slice(0, TEXT_MAX)) });
  try {
    return search.runInContext(sandbox, { timeout: PATTERN_MS_MAX }) === true;
  } catch (error) {
    return (error as Error).message;
  }
}
