/** What people did in the last day, in words. */
import type { Overview } from "../../data/overview.ts";
import { Card } from "../../design/card.tsx";
import { formatClock, formatExact } from "../../design/format.ts";

type Action = NonNullable<Overview["actions"]>[number];

const SHOWN = 8;

const WORDS: Readonly<Record<string, string>> = {
  "POST /api/reviews/:id/decision": "answered question {3}",
  "POST /api/reviews/:id/assign": "assigned question {3}",
  "POST /api/trades/:id/undo": "undid a decision about a trade",
  "POST /api/mailboxes": "added a mailbox",
  "DELETE /api/mailboxes/:address": "removed {3}",
  "POST /api/mailboxes/:address/pause": "paused {3}",
  "POST /api/mailboxes/:address/resume": "resumed {3}",
  "POST /api/mailboxes/:address/resync": "had every folder of {3} read again",
  "POST /api/mailboxes/:address/audit": "audited {3}",
  "POST /api/mailboxes/:address/verify": "checked access to {3}",
  "PUT /api/mailboxes/:address/folders": "changed the folders of {3}",
  "POST /api/events/:seq/reveal": "revealed the subject and sender of event {3}",
  "POST /api/dlq/replay": "replayed dead letters",
  "POST /api/dlq/dismiss": "dismissed dead letters",
  "POST /api/jobs/:id/cancel": "cancelled a job",
  "POST /api/orders/import": "imported orders",
  "POST /api/orders": "added an order",
  "POST /api/senders": "approved a sender",
  "DELETE /api/senders/:sender": "revoked the approval of {3}",
  "POST /api/people/import": "imported people",
  "POST /api/contract-notes": "uploaded contract notes",
  "POST /upload/file": "filed a document",
  "POST /upload/session": "began to file a document",
  "DELETE /upload/session/:id": "stopped filing a document",
  "POST /api/documents/:id/record": "had the record of a document written",
  "POST /api/documents/:id/reviewed": "looked at a document",
  "POST /api/me/mailbox": "began to connect their own mailbox",
  "POST /api/me/notices/:id/seen": "saw a notice about their mailbox",
  "POST /api/mailboxes/:address/connect": "asked {3} to connect their mailbox",
  "PUT /api/mailboxes/:address/filing": "changed what is filed of {3}",
  "DELETE /api/mailboxes/:address/filing": "ended the filing of {3}",
  "POST /api/reviews/:id/password": "gave the password of question {3}",
  "DELETE /api/orders/:reference": "removed order {3}",
  "POST /api/subscriptions/ensure": "had the subscriptions checked",
  "POST /api/subscriptions/rotate": "gave the subscriptions new secrets",
  "DELETE /api/subscriptions/orphans": "deleted unknown subscriptions",
  "POST /api/ingest/mails": "had mail ingested",
  "POST /api/ingest/backfill": "had older mail ingested",
  "POST /api/sinks": "added a sink",
  "DELETE /api/sinks/:name": "removed the sink {3}",
  "POST /api/sinks/:name/test": "tested the sink {3}",
  "POST /api/holds": "placed a hold",
  "DELETE /api/holds/:id": "ended a hold",
  "POST /api/erasures": "asked for an erasure",
  "POST /api/ask": "asked the documents a question",
  "POST /api/tenant/mail": "sent mail in the tenant",
  "POST /api/tenant/faults": "armed a fault in the tenant",
  "DELETE /api/tenant/faults": "cleared the faults of the tenant",
  "POST /api/tenant/clock": "moved the clock of the tenant",
  "POST /api/tenant/scenarios/:name": "played a scenario in the tenant",
};

export function Changes({ actions }: { actions: readonly Action[] }) {
  const done = actions.slice(0, SHOWN);
  return (
    <Card title="Since yesterday">
      {done.length === 0 ? (
        <p className="p-4 text-text-2">Nobody changed anything.</p>
      ) : (
        <ul className="py-1">
          {done.map((action) => (
            <li key={`${action.at}${action.path}`} className="flex gap-6 px-4 py-1.5">
              <time
                dateTime={action.at}
                title={formatExact(new Date(action.at))}
                className="tabular shrink-0 text-text-2"
              >
                {formatClock(new Date(action.at)).slice(0, 5)}
              </time>
              <span className="min-w-0 break-words">{toSentence(action)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function toSentence({ who, whoName, operation, path, status }: Action): string {
  const parts = path.split("/");
  const words = (WORDS[operation] ?? operation).replace(/\{(\d)\}/g, (_, index) =>
    safeDecode(parts[Number(index)] ?? ""),
  );
  const person = whoName ?? (who === "operator" ? "The operator" : who);
  const outcome = status === null || status < 400 ? "" : ` (refused, ${status})`;
  return `${person} ${words}${outcome}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
