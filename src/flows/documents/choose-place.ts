/** Where the rules put a message: the usual place, the place of a Route rule, or nowhere. */
import type { Actor } from "../../filing/actors.ts";
import { chooseContainer, type Parent, parseParent } from "../../filing/container.ts";
import type { MailFacts } from "../../filing/rules/mail-rules.ts";
import type { RuleBook } from "../../filing/rules/rule-book.ts";
import { Fault } from "../../lib/fault.ts";

export interface Place {
  readonly containerId: string;
  readonly parent: Parent | null;
  /** Why a person should look at the document. */
  readonly review: string | null;
}

export async function choosePlace(
  needs: { readonly app: Actor; readonly rules: RuleBook; readonly containerId: string },
  facts: MailFacts,
  usualParent: Parent | null,
): Promise<Place | { readonly excludedBy: string }> {
  const decision = await needs.rules.decide(facts);
  if ("needs" in decision) throw new Error(`the mail has no ${decision.needs}`);
  const { action, rule, route } = decision;
  if (action === "Ignore") return { excludedBy: rule ?? "default action Ignore" };
  const review = action === "ReviewRequired" ? (rule ?? "default action ReviewRequired") : null;
  if (route === undefined) return { containerId: needs.containerId, parent: usualParent, review };
  const parent = route.parent === undefined ? usualParent : parseParent(route.parent);
  if (route.parent !== undefined && parent === null)
    throw new Fault(
      "settings.bad",
      `the parent in the rule ${rule} must be a table and an ID, such as sprk_matter:{id}`,
    );
  const containerId = await chooseContainer(
    { dataverse: needs.app.dataverse, defaultContainerId: needs.containerId },
    { containerId: route.containerId, parent },
  );
  return { containerId, parent, review };
}
