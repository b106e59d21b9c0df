/** Jobs that failed for good, by cause, with advice, a dry run and the replay. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { followReplay } from "../data/followed-replays.ts";
import {
  type DeadCause,
  dismiss,
  previewReplay,
  startReplay,
  useDeadCauses,
} from "../data/jobs.ts";
import { Button } from "../design/button.tsx";
import { KeyValues } from "../design/card.tsx";
import { Dialog, Drawer } from "../design/dialog.tsx";
import { Field } from "../design/field.tsx";
import { formatCount, plural } from "../design/format.ts";
import { capital } from "../design/reason.ts";
import type { Column } from "../design/table.tsx";
import { Ago } from "../design/values.tsx";
import { OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { Failure } from "../shell/failure.tsx";
import { ListPage } from "../shell/list-page.tsx";
import { opensDrawer, type Search } from "../shell/search.ts";
import { useShortcuts } from "../shell/shortcuts.ts";

export function DeadLetters() {
  const { cause: openCause } = useSearch({ strict: false }) as Search;
  const { data, error, refetch } = useDeadCauses();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"replay" | "dismiss" | null>(null);
  const set = (cause: string | undefined) =>
    void navigate({
      to: "/dead-letters",
      search: { cause },
      replace: !opensDrawer(openCause, cause),
    });
  const open = data?.find(({ cause }) => cause === openCause);
  useShortcuts(
    open
      ? {
          r: () => setAsked("replay"),
          d: () => setAsked("dismiss"),
          Escape: () => set(undefined),
        }
      : {},
  );
  return (
    <>
      <ListPage
        title="Dead letters"
        icon="dead-letters"
        rows={data}
        error={error}
        onRetry={() => void refetch()}
        columns={COLUMNS}
        rowKey={({ cause }) => cause}
        rowLabel={({ pattern, count }) => `${pattern}, ${plural(count, "job")}`}
        phone={(row) => ({
          first: row.pattern,
          second: `${row.jobType} · ${row.errorCode}`,
          aside: formatCount(row.count),
        })}
        selected={openCause}
        onOpen={({ cause }) => set(cause)}
        empty={{
          title: "No dead letters.",
          text: "Jobs that fail for good appear here, with the cause and what to do about it.",
        }}
        drawer={
          open && (
            <CauseDrawer
              cause={open}
              onClose={() => set(undefined)}
              onReplay={() => setAsked("replay")}
              onDismiss={() => setAsked("dismiss")}
            />
          )
        }
      />
      {open && asked && <ActDialog cause={open} act={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function CauseDrawer({
  cause,
  onClose,
  onReplay,
  onDismiss,
}: {
  cause: DeadCause;
  onClose: () => void;
  onReplay: () => void;
  onDismiss: () => void;
}) {
  return (
    <Drawer title={plural(cause.count, "dead letter")} onClose={onClose}>
      <KeyValues
        rows={[
          ["Cause", capital(cause.pattern)],
          ["What to do", capital(cause.advice)],
          ["Job type", cause.jobType],
          ["Error code", cause.errorCode],
          ["First failure", <Ago at={cause.firstAt} />],
          ["Latest failure", <Ago at={cause.lastAt} />],
          [
            "Example",
            <Link
              key="sample"
              to="/jobs"
              search={{ job: cause.sampleJobId }}
              className="text-accent underline"
            >
              One of its jobs, with its payload
            </Link>,
          ],
        ]}
      />
      <div className="flex gap-2 border-border border-t p-4">
        <Button kind="primary" shortcut="R" onClick={onReplay}>
          Replay
        </Button>
        <Button shortcut="D" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </Drawer>
  );
}

/** A wide action says its scope and its effect before it happens, and asks why. */
function ActDialog({
  cause,
  act,
  onClose,
}: {
  cause: DeadCause;
  act: "replay" | "dismiss";
  onClose: () => void;
}) {
  const [why, setWhy] = useState("");
  const navigate = useNavigate();
  const { outcome, run } = useOutcome();
  const preview = useQuery({
    queryKey: ["dlq", "preview", cause.cause],
    queryFn: () => previewReplay(cause.cause),
  });
  const total = preview.data?.total ?? 0;
  const send = () =>
    run(async () => {
      if (act === "dismiss") {
        const gone = await dismiss(cause.cause, why.trim());
        onClose();
        return `Dismissed ${plural(gone, "dead letter")}.`;
      }
      const { replayId } = await startReplay(cause.cause, why.trim());
      void followReplay(replayId);
      void navigate({ to: "/replays/$id", params: { id: replayId } });
      return "Started.";
    });
  const isReady = why.trim() !== "" && preview.data !== undefined && outcome.kind !== "busy";
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={act === "replay" ? "Replay dead letters" : "Dismiss dead letters"}
      onSubmit={() => void send()}
      actions={
        <Button type="submit" kind="primary" disabled={!isReady}>
          {act === "replay"
            ? `Replay ${plural(total, "job")}`
            : `Dismiss ${formatCount(cause.count)}`}
        </Button>
      }
    >
      <p className="mb-2">{capital(cause.pattern)}</p>
      {preview.error ? (
        <Failure error={preview.error} />
      ) : (
        <p className="mb-4 text-text-2">
          {preview.data === undefined
            ? "Checking what would happen"
            : act === "replay"
              ? `${plural(total, "job")} would run again; ${formatCount(preview.data.notReplayable)} cannot be replayed.`
              : `${plural(cause.count, "job")} would leave this list and never run again.`}
        </p>
      )}
      <Field
        label="Reason"
        hint="Kept in the audit log."
        value={why}
        maxLength={1000}
        autoFocus
        onChange={(event) => setWhy(event.target.value)}
      />
      <OutcomeStrip outcome={outcome} />
    </Dialog>
  );
}

const COLUMNS: readonly Column<DeadCause>[] = [
  { key: "pattern", head: "Cause", cell: ({ pattern }) => pattern },
  { key: "type", head: "Job type", width: 160, from: 720, cell: ({ jobType }) => jobType },
  { key: "code", head: "Error code", width: 144, from: 880, cell: ({ errorCode }) => errorCode },
  {
    key: "count",
    head: "Jobs",
    width: 56,
    align: "right",
    cell: ({ count }) => formatCount(count),
  },
  {
    key: "last",
    head: "Latest",
    width: 96,
    align: "right",
    cell: ({ lastAt }) => <Ago at={lastAt} />,
  },
];
