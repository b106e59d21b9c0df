/** Jobs: units of work that are waiting, running or done. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { cancelJob, JOBS_MAX, type Job, type JobFilter, useJob, useJobs } from "../data/jobs.ts";
import { KeyValues } from "../design/card.tsx";
import { Drawer } from "../design/dialog.tsx";
import { formatDuration } from "../design/format.ts";
import { Json } from "../design/json.tsx";
import { State, type Tone } from "../design/state.tsx";
import type { Column } from "../design/table.tsx";
import { Ago, IdChip } from "../design/values.tsx";
import { DoButton, OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { ListPage } from "../shell/list-page.tsx";
import { opensDrawer, type Search } from "../shell/search.ts";

const STATES: Readonly<Record<Job["status"], { tone: Tone; word: string }>> = {
  Queued: { tone: "waiting", word: "Queued" },
  Running: { tone: "waiting", word: "Running" },
  Completed: { tone: "ok", word: "Completed" },
  Failed: { tone: "failed", word: "Out of tries" },
  Poisoned: { tone: "failed", word: "Cannot be retried" },
  Cancelled: { tone: "waiting", word: "Cancelled" },
};

export function Jobs() {
  const { job: openId, ...filter } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { data, error, refetch } = useJobs(filter as JobFilter);
  const opened = useJob(openId);
  const set = (changes: Search) =>
    void navigate({
      to: "/jobs",
      search: { ...filter, job: openId, ...changes },
      replace: !opensDrawer(openId, changes["job"]),
    });
  return (
    <ListPage
      title="Jobs"
      icon="jobs"
      rows={data}
      rowsMax={JOBS_MAX}
      error={error}
      onRetry={() => void refetch()}
      columns={openId === undefined ? COLUMNS : BESIDE_A_JOB}
      rowKey={({ jobId }) => jobId}
      rowLabel={({ jobType, status }) => `${jobType}, ${STATES[status].word}`}
      phone={(job) => ({
        first: job.jobType,
        second: job.errorMessage ?? <Ago at={job.createdAt} />,
        aside: <JobState job={job} />,
      })}
      selected={openId}
      onOpen={({ jobId }) => set({ job: jobId })}
      filters={[
        {
          key: "state",
          label: "State",
          value: filter["state"],
          options: Object.entries(STATES).map(([key, { word }]) => [key, word]),
        },
        { key: "type", label: "Type", value: filter["type"] },
        { key: "subjectId", label: "Concerns", value: filter["subjectId"] },
      ]}
      onFilter={(key, value) => set({ [key]: value })}
      empty={
        Object.values(filter).some(Boolean)
          ? { title: "No jobs match.", text: "Remove a filter." }
          : { title: "No jobs yet.", text: "Postroom adds a job for each piece of work." }
      }
      drawer={
        opened.data && <JobDrawer job={opened.data} onClose={() => set({ job: undefined })} />
      }
    />
  );
}

function JobState({ job }: { job: Job }) {
  const { tone, word } = STATES[job.status];
  return <State tone={tone}>{word}</State>;
}

function JobDrawer({ job, onClose }: { job: Job; onClose: () => void }) {
  const { outcome, run } = useOutcome();
  const isOpen = job.status === "Queued" || job.status === "Running";
  return (
    <Drawer
      title={job.jobType}
      onClose={onClose}
      actions={
        isOpen && (
          <DoButton
            outcome={outcome}
            onDo={() =>
              void run(async () =>
                (await cancelJob(job.jobId))
                  ? "The job is cancelled."
                  : "The job had already ended.",
              )
            }
          >
            Cancel
          </DoButton>
        )
      }
    >
      <OutcomeStrip outcome={outcome} />
      <KeyValues
        rows={[
          ["State", <JobState job={job} />],
          ["Attempt", `${job.attempt} of ${job.maxAttempts}`],
          ["Created", <Ago at={job.createdAt} />],
          ["Took", tookOf(job)],
          [
            "Concerns",
            <Link
              to="/trace/$id"
              params={{ id: job.subjectId }}
              className="break-all text-accent underline"
            >
              {job.subjectId}
            </Link>,
          ],
          ["Job", <IdChip id={job.jobId} label="job id" />],
          ["Correlation", <IdChip id={job.correlationId} label="correlation id" />],
          ...(job.errorMessage === null
            ? []
            : [["Error", `${job.errorMessage} (${job.errorCode})`] as const]),
        ]}
      />
      <div className="border-border border-t">
        <Json value={job} />
      </div>
    </Drawer>
  );
}

const tookOf = ({ startedAt, completedAt }: Job): string =>
  startedAt === null || completedAt === null
    ? "–"
    : formatDuration(Date.parse(completedAt) - Date.parse(startedAt));

const COLUMNS: readonly Column<Job>[] = [
  { key: "type", head: "Type", width: 176, cell: ({ jobType }) => jobType },
  { key: "state", head: "State", width: 144, cell: (job) => <JobState job={job} /> },
  {
    key: "subject",
    head: "Concerns",
    cell: ({ jobType, subjectId, errorMessage }) =>
      errorMessage ??
      (subjectId === jobType ? (
        "–"
      ) : (
        <span className="font-mono text-label text-text-2">{subjectId}</span>
      )),
  },
  {
    key: "attempt",
    head: "Attempt",
    width: 64,
    align: "right",
    from: 720,
    cell: ({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}`,
  },
  { key: "took", head: "Took", width: 72, align: "right", from: 560, cell: tookOf },
  {
    key: "created",
    head: "Created",
    width: 96,
    align: "right",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

/** While a drawer is open, there is no room for the column of what a job concerns; the type gets the remaining width. */
const BESIDE_A_JOB: readonly Column<Job>[] = COLUMNS.filter(({ key }) => key !== "subject").map(
  ({ width, ...column }) =>
    column.key === "type" || width === undefined ? column : { ...column, width },
);
