import { holds } from "../call/access.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import { showAttachment } from "./attachment-view.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";

type Expand = (message: StoredMessage, shown: Record<string, unknown>) => Record<string, unknown>;

const EXTENDED = /^(singleValue|multiValue)ExtendedProperties\b/i;

/** `$expand` of a message: its attachments, or extended properties, of which there are none. */
export function withExpansions(world: MailWorld, call: GraphCall, scope: MailScope): Expand {
  const text = call.request.query.get("$expand");
  if (text === null || text === "") return (_message, shown) => shown;
  if (EXTENDED.test(text)) return (_message, shown) => shown;
  const match = /^attachments(?:\(\s*\$select=([^)]*)\))?$/i.exec(text.trim());
  if (match === null) {
    throw badRequest(
      `Parsing OData Select and Expand failed: Could not find a property named '${text}' on type 'microsoft.graph.message'.`,
      "RequestBroker--ParseUri",
    );
  }
  if (!holds(call.caller, "read")) return (_message, shown) => shown;
  const select = match[1]?.split(",").map((name) => name.trim().toLowerCase()) ?? null;
  return (message, shown) => ({
    ...shown,
    attachments: message.attachments.map((each) =>
      showAttachment(scope.mailbox, message, each, {
        form: call.idForm,
        select,
        bodyForm: call.bodyForm,
        expandDepth: 0,
        size: graphSwitch(world.context.switches, "attachmentSize"),
      }),
    ),
  });
}
