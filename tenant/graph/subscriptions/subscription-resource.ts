/** The `resource` of a subscription, in all spellings that Graph accepts. */
import type { Caller, TenantContext } from "../../context.ts";
import { findUser } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { normalizePath } from "../call/route-table.ts";
import type { MailStore } from "../mailbox/mail-store.ts";
import { findFolder } from "../mailbox/mailbox.ts";
import { parseMessageFilter } from "../messages/message-query.ts";
import { parseSelect } from "../messages/message-view.ts";
import type { SubscriptionTarget } from "./subscription-model.ts";

const RICH_REFUSED = ["$top", "$skip", "$orderby"];
/** The two collections of extended properties, each with its own filter in parentheses. */
const RICH_EXPANSIONS = /^((single|multi)ValueExtendedProperties(\([^)]*\))?(,|$))+$/i;

export function parseResource(
  context: TenantContext,
  store: MailStore,
  caller: Caller,
  resource: string,
  isRich: boolean,
): SubscriptionTarget {
  const [rawPath = "", rawQuery = ""] = resource.split("?", 2);
  const query = new URLSearchParams(rawQuery);
  const path = normalizePath(`/${rawPath.replace(/^\/+/, "")}`).replace(/\/+$/, "");
  const drive = /^\/(?:drives\/([^/]+)|me\/drive|users\/[^/]+\/drive)\/root$/i.exec(path);
  if (drive) return { kind: "drive", driveId: drive[1] ?? "" };
  const mail = /^\/(?:me|users\/([^/]+))(?:\/mailFolders\/([^/]+))?\/messages$/i.exec(path);
  if (!mail) throw unsupported(resource);
  const user = findUser(context, decode(mail[1] ?? caller.objectId));
  if (user === null || !user.hasMailbox) {
    throw new GraphProblem(
      404,
      "ResourceNotFound",
      "Operation: Create; Exception: [Status Code: NotFound; Reason: The requested user is invalid.]",
    );
  }
  const select = query.get("$select");
  checkOptions(query, select, isRich);
  return {
    kind: "messages",
    userId: user.id,
    folderId: mail[2] === undefined ? null : folderIdOf(store, user.id, context, decode(mail[2])),
    filter: query.get("$filter"),
    select,
  };
}

function folderIdOf(
  store: MailStore,
  userId: string,
  context: TenantContext,
  name: string,
): string {
  const user = context.users.find((each) => each.id === userId)!;
  const state = findFolder(store.mailboxOf(user), name);
  if (state !== null) return state.folder.id;
  throw new GraphProblem(
    404,
    "ErrorItemNotFound",
    "The specified folder could not be found in the store.",
  );
}

function checkOptions(query: URLSearchParams, select: string | null, isRich: boolean): void {
  const names = parseSelect(select);
  const filter = query.get("$filter");
  if (filter !== null) parseMessageFilter(filter);
  if (!isRich) return;
  if (select === null) {
    throw badRequest(
      "$select is required in the resource of a subscription with resource data.",
      "InvalidRequest",
    );
  }
  const expansion = query.get("$expand");
  const isExpandable = expansion === null || RICH_EXPANSIONS.test(expansion);
  const refused =
    RICH_REFUSED.find((name) => query.has(name)) ?? (isExpandable ? undefined : "$expand");
  if (refused !== undefined)
    throw badRequest(
      `The query option '${refused}' is not supported for this resource.`,
      "InvalidRequest",
    );
  if (names?.includes("body") || names?.includes("uniqueBody")) {
    throw badRequest(
      "$select of body or uniqueBody is not supported for notifications with resource data.",
      "InvalidRequest",
    );
  }
}

function unsupported(resource: string): GraphProblem {
  return badRequest(
    `Unsupported resource '${resource}'. Check that the resource path is spelled correctly.`,
    "InvalidRequest",
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an unescaped percent sign is part of the id
  }
}
