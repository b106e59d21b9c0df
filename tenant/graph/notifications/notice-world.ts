import type { TenantContext } from "../../context.ts";
import { type Filter, parseMessageFilter, passes } from "../messages/message-query.ts";
import { parseSelect, showMessage } from "../messages/message-view.ts";
import type { NoticeWorld } from "./change-notices.ts";

/** How subscriptions see messages: through their filter and their selected properties. */
export function createNoticeWorld(context: TenantContext, nextId: () => string): NoticeWorld {
  const filters = new Map<string, Filter>();
  return {
    context,
    nextId,
    matches({ target }, mailbox, message) {
      if (target.kind !== "messages" || target.filter === null) return true;
      const filter = filters.get(target.filter) ?? parseMessageFilter(target.filter);
      filters.set(target.filter, filter);
      return passes(filter, mailbox, message);
    },
    contentOf({ target, idForm }, mailbox, message) {
      const select = target.kind === "messages" ? parseSelect(target.select) : [];
      return {
        "@odata.context": `${context.origin()}/v1.0/$metadata#users('${mailbox.userId}')/messages/$entity`,
        ...showMessage(mailbox, message, {
          form: idForm,
          bodyForm: "html",
          select,
          isBasic: false,
        }),
      };
    },
  };
}
