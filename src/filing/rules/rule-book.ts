import * as z from "zod";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";
import {
  decideMail,
  MAIL_FIELDS,
  type MailAction,
  type MailDecision,
  type MailFacts,
  type MailField,
  type MailRoute,
  type MailRule,
} from "./mail-rules.ts";

/** The rules in Dataverse, cached for a few minutes. */
export interface RuleBook {
  decide(facts: MailFacts): Promise<MailDecision>;
  /** Reads the rules again before the next decision. */
  forget(): void;
}

const KEPT_MS = 5 * 60_000;
const TYPES: readonly MailRule["type"][] = ["Exclude", "Include", "Route"];

interface RuleRow {
  readonly sprk_name: string | null;
  readonly sprk_ruletype: number | null;
  readonly sprk_priority: number | null;
  readonly sprk_targetfield: string | null;
  readonly sprk_pattern: string | null;
  readonly sprk_criteriajson: string | null;
}

export function createRuleBook(needs: {
  dataverse: DataverseClient;
  defaultAction: MailAction;
  clock: Clock;
  log: Log;
}): RuleBook {
  let kept: { rules: readonly MailRule[]; untilMs: number } | null = null;
  const load = async (): Promise<readonly MailRule[]> => {
    if (kept !== null && kept.untilMs > needs.clock.now()) return kept.rules;
    const rows = await needs.dataverse.list<RuleRow>(
      "sprk_emailprocessingrules?$select=sprk_name,sprk_ruletype,sprk_priority,sprk_targetfield,sprk_pattern,sprk_criteriajson&$filter=sprk_isactive eq true",
    );
    const rules = rows.flatMap((row) => toRule(row, needs.log));
    kept = { rules, untilMs: needs.clock.now() + KEPT_MS };
    return rules;
  };
  return {
    forget() {
      kept = null;
    },
    async decide(facts) {
      return decideMail(await load(), facts, needs.defaultAction, (rule, why) =>
        needs.log.warn({ rule: rule.name, why }, "a rule for mail was skipped"),
      );
    },
  };
}

function toRule(row: RuleRow, log: Log): MailRule[] {
  const type = TYPES[row.sprk_ruletype ?? -1];
  const field = row.sprk_targetfield?.toLowerCase().replace(/^attachmentnames$/, "attachmentname");
  const { sprk_name: name, sprk_pattern: pattern } = row;
  const isWhole = type !== undefined && pattern && MAIL_FIELDS.includes(field as MailField);
  if (!isWhole) {
    log.warn({ rule: name }, "a rule for mail has an unknown type or field, or no pattern");
    return [];
  }
  const priority = row.sprk_priority ?? Number.MAX_SAFE_INTEGER;
  const rule = { name: name ?? "", type, priority, field: field as MailField, pattern };
  const route = type === "Route" ? toRoute(row, log) : undefined;
  return [route === undefined ? rule : { ...rule, route }];
}

const Route = z.object({ containerId: z.string().optional(), parent: z.string().optional() });

/** A place that cannot be read is treated as absent, so a person is asked instead of the mail being lost. */
function toRoute(row: RuleRow, log: Log): MailRoute | undefined {
  if (!row.sprk_criteriajson) return undefined;
  const read = Route.safeParse(parseJson(row.sprk_criteriajson));
  if (!read.success)
    log.warn({ rule: row.sprk_name }, "the place of a rule for mail is unreadable");
  const { containerId, parent } = read.data ?? {};
  return containerId === undefined && parent === undefined ? undefined : { containerId, parent };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // reported by the caller
  }
}
