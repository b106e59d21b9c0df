/** What people did in the last day, in words. */
import type { Overview } from "../../data/overview.ts";
import { Card } from "../../design/card.tsx";
import { formatClock, formatCount, formatExact } from "../../design/format.ts";
import { CHANGES } from "./change-words.ts";

type Action = NonNullable<Overview["actions"]>[number];

const SHOWN = 8;

export function Changes({ actions }: { actions: readonly Action[] }) {
  const done = gather(actions).slice(0, SHOWN);
  return (
    <Card title="Since yesterday">
      {done.length === 0 ? (
        <p className="p-4 text-text-2">Nobody changed anything.</p>
      ) : (
        <ul className="py-1">
          {done.map(({ at, sentence, times }) => (
            <li key={`${at}${sentence}`} className="flex gap-6 px-4 py-1.5">
              <time
                dateTime={at}
                title={formatExact(new Date(at))}
                className="tabular shrink-0 text-text-2"
              >
                {formatClock(new Date(at)).slice(0, 5)}
              </time>
              <span className="min-w-0 break-words">
                {sentence}
                {times > 1 && <span className="text-text-2">, {formatCount(times)} times</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Newest first; what somebody did several times in a row is one line. */
function gather(actions: readonly Action[]) {
  const lines: { at: string; sentence: string; times: number }[] = [];
  for (const action of actions) {
    const [sentence, last] = [toSentence(action), lines.at(-1)];
    if (last?.sentence === sentence) last.times += 1;
    else lines.push({ at: action.at, sentence, times: 1 });
  }
  return lines;
}

function toSentence({ who, whoName, operation, path, status }: Action): string {
  const parts = path.split("/");
  const words = (CHANGES[operation] ?? operation).replace(/\{(\d)\}/g, (_, index) =>
    safeDecode(parts[Number(index)] ?? ""),
  );
  const person = whoName ?? (who === "operator" ? "The operator" : who);
  const failed = (status ?? 0) < 500 ? "refused" : "failed";
  const outcome = status === null || status < 400 ? "" : ` (${failed}, ${status})`;
  return `${person} ${words}${outcome}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
