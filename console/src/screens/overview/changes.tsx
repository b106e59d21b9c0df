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
