import { toFault } from "../lib/fault.ts";
import { GraphApiError } from "../microsoft/graph/graph-fault.ts";

/** What Graph's codes mean for an operator, and what to do about them. */
const BY_CODE: readonly (readonly [RegExp, string])[] = [
  [
    /^MailboxNotEnabledForRESTAPI$/i,
    "it has no mailbox that Graph can read: no licence, or it is on premises",
  ],
  [
    /^(Request_ResourceNotFound|ErrorInvalidUser|ResourceNotFound)$/i,
    "no such user is in the tenant; check the address and the connection",
  ],
  [
    /^(ErrorAccessDenied|AccessDenied)$/i,
    "the app may not read this mailbox: put it into the app's scope in Exchange, which may take two hours to apply, or grant the application permission Mail.Read with admin consent and check that no application access policy shuts the mailbox out",
  ],
  [
    /^Authorization_RequestDenied$/i,
    "the app may not look up users: grant it the application permission User.Read.All with admin consent",
  ],
  [
    /^(InvalidAuthenticationToken|unauthenticated)$/i,
    "Graph does not accept the app's token; check the tenant, the app and its secret",
  ],
];

/** One sentence for an operator, with Graph's own code in brackets so that they can search for it. */
export function explainRefusal(error: unknown): string {
  if (!(error instanceof GraphApiError)) return toFault(error).message;
  if (error.status === 400 && /validation request/i.test(error.body))
    return "Graph could not reach our public address (endpoint unreachable)";
  const known = BY_CODE.find(([code]) => code.test(error.graphCode))?.[1];
  if (known !== undefined) return `${known} (Graph: ${error.status} ${error.graphCode})`;
  if (error.status === 403 && error.path.startsWith("/v1.0/subscriptions"))
    return "Graph allows no further subscription here: 1,000 per mailbox over all apps, or the permission Mail.Read is missing (Graph: 403)";
  return error.message;
}

/** A guest's mailbox is in another tenant; Graph answers as if there were no mailbox at all. */
export function isGuest(userPrincipalName: string): boolean {
  return /#EXT#/i.test(userPrincipalName);
}
