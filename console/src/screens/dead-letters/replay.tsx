/** The progress of a replay, which continues if you leave the page. */
import { Link, useParams } from "@tanstack/react-router";
import { useReplay } from "../../data/jobs.ts";
import { Card, KeyValues } from "../../design/card.tsx";
import { Loading } from "../../design/feedback.tsx";
import { formatCount, plural } from "../../design/format.ts";
import { State } from "../../design/state.tsx";
import { Ago } from "../../design/values.tsx";
import { Failure } from "../../shell/failure.tsx";
import { PageFrame } from "../../shell/page-frame.tsx";

export function ReplayPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useReplay(id);
  const done = data ? data.replayed + data.superseded : 0;
  const share = data && data.total > 0 ? Math.min(1, done / data.total) : 1;
  return (
    <PageFrame
      title="Replay"
      crumbs={[
        <Link key="dead" to="/dead-letters">
          Dead letters
        </Link>,
      ]}
    >
      {data ? (
        <div className="grid max-w-2xl gap-6">
          <h2 className="text-verdict font-semibold">
            {data.finishedAt === null ? "The replay is running." : "The replay finished."}{" "}
            {formatCount(done)} of {plural(data.total, "job")}.
          </h2>
          <div
            role="progressbar"
            aria-label="Replay"
            aria-valuenow={Math.round(share * 100)}
            className="h-2 overflow-hidden rounded-key bg-sunken"
          >
            <div className="h-full bg-primary" style={{ width: `${share * 100}%` }} />
          </div>
          <Card>
            <KeyValues
              rows={[
                [
                  "State",
                  data.finishedAt === null ? (
                    <State tone="waiting">Running</State>
                  ) : (
                    <State tone="ok">Finished</State>
                  ),
                ],
                ["Queued again", formatCount(data.replayed)],
                ["Already done by another job", formatCount(data.superseded)],
                ["Reason", data.why],
                ["Finished", <Ago at={data.finishedAt} />],
              ]}
            />
          </Card>
        </div>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the replay" rows={4} />
      )}
    </PageFrame>
  );
}
