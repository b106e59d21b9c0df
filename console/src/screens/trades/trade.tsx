/** One trade: its facts, why it counts as new, the same or amended, and how to undo it. */
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { queryClient } from "../../data/query.ts";
import { useNote } from "../../data/reviews.ts";
import { type TradeDetails, undoTrade, useTrade } from "../../data/trades.ts";
import { Button, buttonLook } from "../../design/button.tsx";
import { Card, KeyValues } from "../../design/card.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Loading } from "../../design/feedback.tsx";
import { Field } from "../../design/field.tsx";
import { formatAmount, formatConfidence, formatDay, formatNumber } from "../../design/format.ts";
import { capital, reasonWords } from "../../design/reason.ts";
import { Ago, Breakable, IdChip, PathChip } from "../../design/values.tsx";
import { PageView, type Region } from "../../pdf/page-view.tsx";
import { mayCall } from "../../session/roles.ts";
import { useMe } from "../../session/use-me.ts";
import { Failure } from "../../shell/failure.tsx";
import { PageFrame } from "../../shell/page-frame.tsx";
import { TradeState, tradeTitle } from "./trade-words.tsx";

export function TradePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useTrade(id);
  const { role } = useMe();
  const [isUndoing, setUndoing] = useState(false);
  const isOpen = data?.decisions.some(({ kind, undoneBy }) => kind !== "undo" && undoneBy === null);
  return (
    <PageFrame
      title={data?.reference ?? "Trade"}
      crumbs={[
        <Link key="trades" to="/trades">
          Trades
        </Link>,
      ]}
      actions={
        <>
          <Link to="/trace/$id" params={{ id }} className={buttonLook("plain", "small")}>
            Open trace
          </Link>
          {mayCall(role, "undoDecision") && isOpen && (
            <Button size="small" onClick={() => setUndoing(true)}>
              Undo
            </Button>
          )}
        </>
      }
    >
      {data ? (
        <Content trade={data} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the trade" rows={10} />
      )}
      {isUndoing && <UndoDialog id={id} onClose={() => setUndoing(false)} />}
    </PageFrame>
  );
}

function Content({ trade }: { trade: TradeDetails }) {
  const { role } = useMe();
  const details = (
    <>
      <Card title="Where it came from">
        {trade.documents.map((document) => (
          <Origin key={document.documentId} document={document} senderEmail={trade.senderEmail} />
        ))}
      </Card>
      <Card title="IDs">
        <Ids trade={trade} />
      </Card>
    </>
  );
  const [note] = trade.documents;
  const hasNote = note !== undefined && mayCall(role, "getNoteContent");
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <h2 className="text-verdict font-semibold">{tradeTitle(trade)}</h2>
        <TradeState trade={trade} />
      </div>
      <div
        className={`grid grid-cols-[minmax(0,1fr)] items-start gap-6 ${hasNote ? "lg:grid-cols-2" : "lg:grid-cols-[minmax(0,1fr)_360px]"}`}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Card title="Trade">
            <Facts trade={trade} />
          </Card>
          <Card title="Decisions" count={trade.decisions.length}>
            <Decisions decisions={trade.decisions} />
          </Card>
          {hasNote && details}
        </div>
        {hasNote ? (
          <Notes documents={trade.documents} />
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">{details}</div>
        )}
      </div>
    </>
  );
}

/** The note itself, beside what was booked from it; a second copy is one click away. */
function Notes({ documents }: { documents: TradeDetails["documents"] }) {
  const [index, setIndex] = useState(0);
  const { documentId, filename } = documents[index]!;
  const content = useNote(documentId);
  return (
    <section
      aria-label="The note"
      className="flex h-[70vh] flex-col overflow-hidden rounded-card border border-border bg-surface shadow-card lg:sticky lg:top-6 lg:h-[calc(100vh-200px)]"
    >
      {documents.length > 1 && (
        <div className="flex flex-wrap gap-1 border-border border-b p-2">
          {documents.map((each, at) => (
            <Button
              key={each.documentId}
              size="small"
              kind={at === index ? "plain" : "quiet"}
              aria-pressed={at === index}
              onClick={() => setIndex(at)}
            >
              {each.filename}
            </Button>
          ))}
        </div>
      )}
      <PageView
        key={documentId}
        documentId={documentId}
        filename={filename}
        content={content}
        regions={NO_REGIONS}
      />
    </section>
  );
}

const NO_REGIONS: readonly Region[] = [];

function Facts({ trade }: { trade: TradeDetails }) {
  const { tradeDate, settlementDate, quantity, price, priceCurrency } = trade;
  const money = (value: number | null) =>
    value === null ? "–" : formatAmount(value, trade.currency);
  return (
    <KeyValues
      rows={[
        ["Trade date", tradeDate === null ? null : formatDay(tradeDate)],
        ["Settlement", settlementDate === null ? null : formatDay(settlementDate)],
        ["Security", trade.name],
        ["ISIN", trade.isin],
        ["Quantity", quantity === null ? null : formatNumber(quantity)],
        ["Price", price === null ? null : `${formatNumber(price)} ${priceCurrency ?? ""}`],
        ["Gross", money(trade.gross)],
        ["Fees", money(trade.fees)],
        ["Taxes", money(trade.taxes)],
        ["Net", <b className="font-semibold">{money(trade.net)}</b>],
        ["Person", trade.username],
        ["Account", trade.account],
        ["Reference", trade.reference],
        ["Confidence", formatConfidence(trade.confidence)],
      ]}
    />
  );
}

function Origin({
  document: { filename, receivedAt, archivePath, messageId },
  senderEmail,
}: {
  document: TradeDetails["documents"][number];
  senderEmail: TradeDetails["senderEmail"];
}) {
  const archived =
    archivePath === null ? "Booked, archive pending" : <PathChip path={archivePath} />;
  const message = messageId && (["Message", <IdChip id={messageId} label="message id" />] as const);
  return (
    <KeyValues
      rows={[
        ["Document", <Breakable key="file" text={filename} />],
        ["From", <Breakable key="from" text={senderEmail} />],
        ["Received", <Ago at={receivedAt} />],
        ["Archived", archived],
        ...(message ? [message] : []),
      ]}
    />
  );
}

function Ids({ trade: { id, tradeKey, correctsId } }: { trade: TradeDetails }) {
  const amends = correctsId && (
    <Link to="/trades/$id" params={{ id: correctsId }} className="text-accent underline">
      the earlier trade
    </Link>
  );
  return (
    <KeyValues
      rows={[
        ["Trade", <IdChip id={id} label="trade id" />],
        ["Key", <IdChip id={tradeKey} label="trade key" />],
        ...(amends ? [["Amends", amends] as const] : []),
      ]}
    />
  );
}

const KINDS: Readonly<Record<string, string>> = {
  confirm: "Booked as new",
  same: "Same trade, second copy",
  amend: "Amended",
  cancel: "Cancelled",
  link: "Linked to its order",
  unlink: "Left without an order",
  ask: "Asked a person",
  reject: "Rejected",
  undo: "Taken back",
};

function Decisions({ decisions }: { decisions: TradeDetails["decisions"] }) {
  return (
    <ol className="py-2">
      {decisions.map(({ id, kind, at, actor, actorName, explanation, undoneBy }) => (
        <li key={id} className="px-4 py-1.5">
          <b className={`font-medium ${undoneBy === null ? "" : "line-through"}`}>
            {KINDS[kind] ?? kind}
          </b>{" "}
          <span className="text-text-2">
            by {actor === "postroom" ? "Postroom" : (actorName ?? actor)}, <Ago at={at} />
          </span>
          <p className="text-text-2">
            {capital(explanation.map(reasonWords).join(", ")).replaceAll(actor, actorName ?? actor)}
          </p>
        </li>
      ))}
    </ol>
  );
}

function UndoDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  const send = () =>
    undoTrade(id, reason.trim()).then(() => {
      void queryClient.invalidateQueries({ queryKey: ["trades"] });
      onClose();
    }, setFailure);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Undo the last decision"
      onSubmit={() => void send()}
      actions={
        <Button type="submit" kind="primary" disabled={reason.trim() === ""}>
          Undo
        </Button>
      }
    >
      <p className="mb-4 text-prose">
        Nothing is deleted: the trade keeps its history. If a person must decide again, a new
        question appears in Review.
      </p>
      {failure !== null && <Failure error={failure} />}
      <Field
        label="Reason"
        hint="Kept with the decision."
        value={reason}
        maxLength={500}
        autoFocus
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}
