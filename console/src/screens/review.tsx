/** The queue of questions, oldest first; answers that were refused are on top. */
import { useNavigate } from "@tanstack/react-router";
import { type ReviewRow, useReviews } from "../data/reviews.ts";
import { Button } from "../design/button.tsx";
import { Empty, Loading } from "../design/feedback.tsx";
import { formatCount, formatDay, formatNumber } from "../design/format.ts";
import { capital, reasonWords } from "../design/reason.ts";
import { State } from "../design/state.tsx";
import { type Column, Table } from "../design/table.tsx";
import { Ago } from "../design/values.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { LastAnswer } from "./review/last-answer.tsx";
import { useUndo } from "./review/use-undo.ts";

export function Review() {
  const { data, error, refetch } = useReviews();
  const navigate = useNavigate();
  const rows = [...(data?.reviews ?? [])].sort(
    (a, b) => Number(b.refusal !== null) - Number(a.refusal !== null),
  );
  const [first] = rows;
  const start = () =>
    first && void navigate({ to: "/review/$id", params: { id: String(first.id) } });
  const { answers, undoable, undo } = useUndo();
  useShortcuts({ s: start, ...(undoable === undefined ? {} : { u: undo }) });
  return (
    <PageFrame
      title="Review"
      count={data?.open ?? 0}
      note={data && `${formatCount(data.open)} open`}
      fill
      actions={
        <>
          <LastAnswer place="bar" answers={answers} undoable={undoable} onUndo={undo} />
          {first && (
            <Button kind="primary" size="small" shortcut="S" onClick={start}>
              Start review
            </Button>
          )}
        </>
      }
    >
      <LastAnswer place="line" answers={answers} undoable={undoable} onUndo={undo} />
      <div className="page-gutter flex min-h-0 flex-1 flex-col bg-surface">
        {data === undefined ? (
          error ? (
            <Failure error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading what="questions" rows={14} />
          )
        ) : rows.length === 0 ? (
          <Empty icon="review" title="No questions.">
            When Postroom is not sure about a note, it asks here.
          </Empty>
        ) : (
          <Table
            label="Questions"
            fill
            rows={rows}
            columns={COLUMNS}
            rowKey={({ id }) => String(id)}
            rowLabel={({ id, reason }) => `Question ${id}, ${reasonWords(reason)}`}
            onOpen={({ id }) => void navigate({ to: "/review/$id", params: { id: String(id) } })}
            phone={(row) => ({
              first: nameOf(row),
              second: capital(reasonWords(row.refusal ?? row.reason)),
              aside: <Ago at={row.openedAt} />,
            })}
          />
        )}
      </div>
    </PageFrame>
  );
}

const ABOUT = { line: "a trade", document: "a document", order: "an order" } as const;

/** The trade as it was read, or the file that could not be read. */
const nameOf = ({ about, subject }: ReviewRow): string =>
  about.trade === null ? (about.file ?? capital(ABOUT[subject])) : tradeWords(about.trade);

/** The server writes `BUY 317 GB00… on 2026-07-17 ref. CN-1`; the reference has no room in a list. */
function tradeWords(text: string): string {
  const found = /^(BUY|SELL) (\S+) (.*) on (\d{4}-\d\d-\d\d)( ref\. .*)?$/.exec(text);
  if (found === null) return text;
  const [, side, quantity, what, day] = found;
  const many = Number.isNaN(Number(quantity)) ? quantity! : formatNumber(Number(quantity));
  return `${side === "BUY" ? "Buy" : "Sell"} ${many} ${what}, ${formatDay(day!)}`;
}

const COLUMNS: readonly Column<ReviewRow>[] = [
  { key: "about", head: "Question about", width: 320, cell: nameOf },
  {
    key: "why",
    head: "Why",
    cell: ({ reason, refusal }) =>
      refusal === null ? (
        capital(reasonWords(reason))
      ) : (
        <State tone="failed">{`Not booked: ${refusal}`}</State>
      ),
  },
  {
    key: "sender",
    head: "From",
    width: 224,
    from: 1200,
    cell: ({ about }) => <span className="text-text-2">{about.sender ?? "–"}</span>,
  },
  {
    key: "age",
    head: "Asked",
    width: 96,
    align: "right",
    cell: ({ openedAt }) => <Ago at={openedAt} />,
  },
];
