import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toUrl } from "../../data/api.ts";
import type { MailEvent } from "../../data/events.ts";
import { Key } from "../../design/button.tsx";
import { KeyValues } from "../../design/card.tsx";
import { Drawer } from "../../design/dialog.tsx";
import { formatExact } from "../../design/format.ts";
import { Json } from "../../design/json.tsx";
import { Ago, IdChip } from "../../design/values.tsx";
import { lagOf, SEEN_BY, typeOf } from "./event-words.tsx";

export function EventDrawer({ event, onClose }: { event: MailEvent; onClose: () => void }) {
  return (
    <Drawer
      title={typeOf(event.eventType).word}
      subtitle={`event ${event.seq}`}
      onClose={onClose}
      actions={
        <Link
          to="/trace/$id"
          params={{ id: event.messageId }}
          className="inline-flex h-7 items-center gap-2 rounded-control border border-border bg-surface px-2 font-medium hover:bg-sunken"
        >
          Open trace <Key>T</Key>
        </Link>
      }
    >
      <KeyValues
        rows={[
          ["Subject", event.subject ?? "No subject"],
          [
            "From",
            <>
              {event.sender.name}
              <span className="block break-all text-text-2">{event.sender.email}</span>
            </>,
          ],
          ["Mailbox", event.mailbox],
          ["Folder", placeOf(event)],
          ["Happened", <Moment at={event.timestamp} />],
          [
            "Seen",
            event.seenBy === "push"
              ? `${lagOf(event)} later, by push`
              : `by ${SEEN_BY[event.seenBy].toLowerCase()}`,
          ],
          ["Message", <IdChip id={event.messageId} label="message id" />],
          ...(event.internetMessageId === null
            ? []
            : [
                [
                  "Internet id",
                  <IdChip id={event.internetMessageId} label="internet message id" />,
                ] as const,
              ]),
        ]}
      />
      <Copied event={event} />
    </Drawer>
  );
}

const placeOf = ({ folderName, fromFolder, toFolder }: MailEvent): string =>
  fromFolder === null ? (folderName ?? "–") : `${fromFolder} → ${toFolder ?? folderName ?? "–"}`;

function Moment({ at }: { at: string }) {
  return (
    <>
      <Ago at={at} />
      <span className="block text-label text-text-2">{formatExact(new Date(at))}</span>
    </>
  );
}

/** The event as the API gives it, and the call that gives it. */
function Copied({ event }: { event: MailEvent }) {
  const [isCopied, setCopied] = useState(false);
  const url = `${location.origin}${toUrl("/api/events", { after: event.seq + 1, limit: 1 })}`;
  const copy = () => {
    const command = `curl -H "authorization: Bearer $TOKEN" '${url}'`;
    void navigator.clipboard.writeText(command).then(() => setCopied(true));
  };
  return (
    <section aria-label="JSON" className="border-border border-t">
      <header className="flex h-10 items-center gap-4 px-4">
        <h3 className="font-medium">JSON</h3>
        <button type="button" onClick={copy} className="text-text-2 hover:text-text">
          {isCopied ? "Copied" : "Copy as curl"}
        </button>
      </header>
      <Json value={event} />
    </section>
  );
}
