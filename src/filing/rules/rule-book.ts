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
  type MailRule,
} from "./mail-rules.ts";

/** The rules in Dataverse, cached for a few minutes. */
export interface RuleBook {
  decide(facts: MailFacts): Promise<MailDecision>;
}

const KEPT_MS = 5 * 60_000;
const TYPES: readonly MailRule["type"][] = ["Exclude", "Include", "Route"];

interface RuleRow {
  readonly sprk_name: string | null;
  readonly sprk_ruletype: number | null;
  readonly sprk_priority: number | null;
  readonly sprk_targetfield: string | null;
  readonly sprk_pattern: string | null;
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
      "sprk_emailprocessingrules?$select=sprk_name,sprk_ruletype,sprk_priority,sprk_targetfield,sprk_pattern&$filter=sprk_isactive eq true",
    );
    const rules = rows.flatMap((row) => toRule(row, needs.log));
    kept = { rules, untilMs: needs.clock.now() + KEPT_MS };
    return rules;
  };
  return {
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
  return [{ name: name ?? "", type, priority, field: field as MailField, pattern }];
}
