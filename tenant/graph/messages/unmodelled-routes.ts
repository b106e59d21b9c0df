/**
 * Parts of a mailbox and of the directory that the tenant does not implement; they are refused by name
 * instead of as unknown paths or as the id of something.
 */
import { GraphProblem } from "../call/graph-error.ts";
import type { RouteTable } from "../call/route-table.ts";

export const UNMODELLED: readonly (readonly [string, string])[] = [
  ["/users/{user}/mailFolders/{folder}/messageRules", "Message rules"],
  ["/users/{user}/mailFolders/{folder}/messageRules/{rule}", "Message rules"],
  ["/users/{user}/inferenceClassification", "The focused inbox"],
  ["/users/{user}/inferenceClassification/overrides", "The focused inbox"],
  ["/users/{user}/inferenceClassification/overrides/{override}", "The focused inbox"],
  ["/users/{user}/outlook/masterCategories", "The list of categories"],
  ["/users/{user}/outlook/masterCategories/{category}", "The list of categories"],
  ["/users/{user}/mailboxSettings", "Mailbox settings"],
  ["/users/delta", "Changes of the directory"],
  ["/servicePrincipals/delta", "Changes of the directory"],
  ["/applications/delta", "Changes of the directory"],
  ["/users/{user}/mailTips", "Mail tips"],
  ["/users/{user}/getMailTips", "Mail tips"],
];
const METHODS = ["GET", "POST", "PATCH", "DELETE"];

export function addUnmodelledRoutes(routes: RouteTable): void {
  for (const [path, what] of UNMODELLED) {
    for (const method of METHODS) {
      routes.on(method, path, () => {
        throw new GraphProblem(501, "NotImplemented", `${what}: not part of the local tenant.`);
      });
    }
  }
}
