import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toUrl } from "../../data/api.ts";
import { type MailEvent, type Revealed, revealEvent } from "../../data/events.ts";
import { buttonLook, Key } from "../../design/button.tsx";
import { KeyValues } from "../../design/card.tsx";
import { Drawer } from "../../design/dialog.tsx";
import { formatExact } from "../../design/format.ts";
import { Json } from "../../design/json.tsx";
import { Ago, IdChip } from "../../design/values.tsx";
import { mayCall } from "../../session/roles.ts";
import { useMe } from "../../session/use-me.ts";
import { DoButton, OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";
import { lagOf, MASKED, SEEN_BY, typeOf } from "./event-words.tsx";

export function EventDrawer({ event, onClose }: { event: MailEvent; onClose: () => void }) {
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const letter = revealed ?? event;
  const isHidden = event.isMasked && revealed === null;
  return (
    <Drawer
      title={typeOf(event.eventType).word}
      subtitle={`event ${event.seq}`}
      onClose={onClose}
      actions={
        <Link
          to="/trace/$id"
          params={{ id: event.messageId }}
          className={buttonLook("plain", "small")}
        >
          Open trace
          <span className="max-md:hidden">
            <Key>T</Key>
          </span>
        </Link>
      }
    >
      {event.isMasked && revealed === null && <Masked seq={event.seq} onReveal={setRevealed} />}
      <KeyValues
        rows={[
          ["Subject", isHidden ? MASKED : (letter.subject ?? "No subject")],
          [
            "From",
            isHidden ? (
              MASKED
            ) : (
              <>
                {letter.sender.name}
                <span className="block break-all text-text-2">{letter.sender.email}</span>
              </>
            ),
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
          ...(letter.internetMessageId === null
            ? []
            : [
                [
                  "Message-ID",
                  <IdChip id={letter.internetMessageId} label="internet message id" />,
                ] as const,
              ]),
        ]}
      />
      <Copied event={event} />
    </Drawer>
  );
}

/** Shown only here and only now: the list stays masked. */
function Masked({ seq, onReveal }: { seq: number; onReveal: (revealed: Revealed) => void }) {
  const { outcome, run } = useOutcome();
  const { role } = useMe();
  const reveal = () =>
    void run(async () => {
      onReveal(await revealEvent(seq));
      return "";
    });
  if (!mayCall(role, "revealEvent")) return null;
  return (
    <div className="border-border border-b p-4">
      <DoButton outcome={outcome} onDo={reveal}>
        Reveal (logged)
      </DoButton>
      {outcome.kind === "failed" && <OutcomeStrip outcome={outcome} />}
    </div>
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
