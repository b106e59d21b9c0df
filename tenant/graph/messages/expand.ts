/** `$expand` of a message: its attachments, and its extended properties. */
import { splitOutside } from "../../odata/split.ts";
import { holds } from "../call/access.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { checkOptions } from "../call/query-options.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import { checkAttachmentSelect, showAttachment } from "./attachment-view.ts";
import { expandExtended, MULTI, SINGLE } from "./extended-properties.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";

type Shown = Record<string, unknown>;
type Expand = (message: StoredMessage, shown: Shown) => Shown;

/** What a message shows besides its own properties. Throws for anything that cannot be expanded. */
export function withExpansions(
  world: MailWorld,
  call: GraphCall,
  scope: MailScope,
  text = call.request.query.get("$expand"),
): Expand {
  if (text === null || text === "") return (_message, shown) => shown;
  const parts = splitOutside(text, ",").map((part) => toPart(world, call, scope, part.trim()));
  return (message, shown) => Object.assign({ ...shown }, ...parts.map((part) => part(message)));
}

function toPart(
  world: MailWorld,
  call: GraphCall,
  scope: MailScope,
  text: string,
): (message: StoredMessage) => Shown {
  const [, name = "", inner = ""] = /^(\w+)\s*(?:\((.*)\))?$/s.exec(text) ?? [];
  const query = readInner(inner);
  const extended = [SINGLE, MULTI].find((each) => each.toLowerCase() === name.toLowerCase());
  if (extended !== undefined) {
    checkOptions(query, ["$filter"]);
    const find = expandExtended(extended as typeof SINGLE, query.get("$filter"));
    return (message) => {
      const value = find(message);
      return value.length === 0 ? {} : { [extended]: value };
    };
  }
  if (name.toLowerCase() !== "attachments") throw unknownExpansion(text);
  checkOptions(query, ["$select"]);
  const select =
    query
      .get("$select")
      ?.split(",")
      .map((each) => each.trim().toLowerCase()) ?? null;
  checkAttachmentSelect(select);
  if (!holds(call.caller, "read")) return () => ({});
  const size = graphSwitch(world.context.switches, "attachmentSize");
  const view = { form: call.idForm, select, bodyForm: call.bodyForm, expandDepth: 0, size };
  return (message) => ({
    attachments: message.attachments.map((each) =>
      showAttachment(scope.mailbox, message, each, view),
    ),
  });
}

function readInner(text: string): URLSearchParams {
  const query = new URLSearchParams();
  for (const option of splitOutside(text, ";")) {
    const at = option.indexOf("=");
    query.append(option.slice(0, at).trim().toLowerCase(), option.slice(at + 1).trim());
  }
  return query;
}

function unknownExpansion(text: string) {
  return badRequest(
    `Parsing OData Select and Expand failed: Could not find a property named '${text}' on type 'microsoft.graph.message'.`,
    "RequestBroker--ParseUri",
  );
}
