/** What happened to mail, live. New rows wait above the list until somebody asks for them. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import {
  type EventFilter,
  type MailEvent,
  ROWS_MAX,
  useEvent,
  useEventPages,
  useEventTail,
} from "../data/events.ts";
import { useOverview } from "../data/overview.ts";
import { Button } from "../design/button.tsx";
import { Empty, Loading } from "../design/feedback.tsx";
import { formatClock, formatCount, formatDate, formatExact, plural } from "../design/format.ts";
import { Live } from "../design/live.tsx";
import { type Column, Table } from "../design/table.tsx";
import { useNow } from "../design/values.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { opensDrawer, type Search } from "../shell/search.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { EventDrawer } from "./events/event-drawer.tsx";
import { EventFilters } from "./events/event-filters.tsx";
import {
  EventTypeMark,
  lagOf,
  SEEN_BY,
  senderOf,
  subjectOf,
  typeOf,
} from "./events/event-words.tsx";

export function Events() {
  const list = useEventList();
  const { filter, tail, isPaused, toggle, shown, set } = list;
  const navigate = useNavigate();
  useShortcuts({
    p: toggle,
    ...(shown
      ? {
          t: () => void navigate({ to: "/trace/$id", params: { id: shown.messageId } }),
          Escape: () => set({ event: undefined }),
        }
      : {}),
  });
  const { data: overview } = useOverview();
  return (
    <PageFrame
      title="Events"
      note={overview && `${formatCount(overview.events.today)} today`}
      fill
      actions={
        <>
          <Live
            isLive={tail.isLive}
            since={tail.silentSince}
            pausedText={isPaused ? "Paused" : undefined}
            text={`Live, ${formatCount(list.recent)} a minute`}
          />
          <Button
            size="small"
            icon={isPaused ? "play" : "pause"}
            shortcut="P"
            onClick={toggle}
            aria-pressed={isPaused}
          >
            {isPaused ? "Resume" : "Pause"}
          </Button>
        </>
      }
    >
      <EventFilters filter={filter} onChange={set} />
      <div className="flex min-h-0 flex-1">
        <div className="page-gutter flex min-w-0 flex-1 flex-col bg-surface">
          <EventRows list={list} />
        </div>
        {shown && (
          <EventDrawer key={shown.seq} event={shown} onClose={() => set({ event: undefined })} />
        )}
      </div>
    </PageFrame>
  );
}

function useEventList() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [isPaused, setPaused] = useState(false);
  const { event: openSeq, ...filter } = search;
  const pages = useEventPages(filter as EventFilter);
  const [taken, setTaken] = useState<readonly MailEvent[]>([]);
  const filterKey = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => setTaken([]), [filterKey]);
  const rows = useMemo(
    () => merge(taken, pages.data?.pages.flatMap(({ events }) => events) ?? []),
    [taken, pages.data],
  );
  const tail = useEventTail(filter as EventFilter, {
    newestSeq: pages.data?.pages[0]?.events[0]?.seq,
    isPaused,
    isLoading: pages.isPending,
  });
  const minuteAgo = useNow().getTime() - 60_000;
  const recent = [...tail.arrived, ...rows.slice(0, 200)].filter(
    ({ seenAt }) => Date.parse(seenAt) > minuteAgo,
  ).length;
  const open = rows.find((row) => String(row.seq) === openSeq);
  const other = useEvent(open === undefined && openSeq !== undefined ? Number(openSeq) : undefined);
  return {
    filter,
    pages,
    tail,
    rows,
    recent,
    openSeq,
    shown: open ?? other.data ?? null,
    isPaused,
    toggle: () => setPaused((now) => !now),
    takeNew: () => {
      const fresh = tail.take();
      setTaken((before) => [...fresh, ...before].slice(0, ROWS_MAX));
    },
    set: (changes: Search) =>
      void navigate({
        to: "/events",
        search: { ...search, ...changes },
        replace: !opensDrawer(openSeq, changes["event"]),
      }),
  };
}

function EventRows({ list }: { list: ReturnType<typeof useEventList> }) {
  const { pages, tail, rows, filter, openSeq, shown, set } = list;
  const isFiltered = Object.values(filter).some(Boolean);
  if (pages.isPending) return <Loading what="events" rows={14} />;
  return (
    <>
      {tail.arrived.length > 0 && (
        <button
          type="button"
          onClick={list.takeNew}
          className="h-8 shrink-0 border-border border-b bg-accent-tint font-medium text-accent"
        >
          {plural(tail.arrived.length, "new event")}
        </button>
      )}
      {pages.error && <Failure error={pages.error} onRetry={() => void pages.refetch()} />}
      {rows.length === 0 && !pages.error ? (
        <Empty icon="events" title={isFiltered ? "No events match." : "No events yet."}>
          {isFiltered
            ? "Remove a filter, or wait: new events appear here by themselves."
            : "They appear here as soon as mail arrives, moves or is read."}
        </Empty>
      ) : (
        <Table
          label="Events"
          fill
          rows={rows}
          columns={shown ? COLUMNS.filter(({ key }) => !HIDDEN.includes(key)) : COLUMNS}
          rowKey={({ seq }) => String(seq)}
          rowLabel={(row) => `${typeOf(row.eventType).word}, ${subjectOf(row)}`}
          selected={openSeq}
          onOpen={(row) => set({ event: String(row.seq) })}
          onEnd={() => {
            if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
          }}
          phone={(row) => ({
            first: subjectOf(row),
            second: `${typeOf(row.eventType).word} · ${senderOf(row)}`,
            aside: <Seen at={row.seenAt} />,
          })}
          foot={<Foot isLoading={pages.isFetchingNextPage} isFull={rows.length >= ROWS_MAX} />}
        />
      )}
    </>
  );
}

function Foot({ isLoading, isFull }: { isLoading: boolean; isFull: boolean }) {
  if (!isLoading && !isFull) return null;
  return (
    <p className="p-3 text-center text-label text-text-2">
      {isLoading
        ? "Loading older events"
        : `The newest ${formatCount(ROWS_MAX)} are shown. Filter to see older ones.`}
    </p>
  );
}

/** A row can come by the stream and by a page; it is shown once. */
function merge(fresh: readonly MailEvent[], old: readonly MailEvent[]): MailEvent[] {
  const newest = old[0]?.seq ?? -1;
  return [...fresh.filter(({ seq }) => seq > newest), ...old].slice(0, ROWS_MAX);
}

function Seen({ at }: { at: string }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={formatExact(date)} className="tabular">
      {isToday ? formatClock(date) : formatDate(date)}
    </time>
  );
}

/** Columns that make room for an open drawer. */
const HIDDEN = ["mailbox", "folder"];

const COLUMNS: readonly Column<MailEvent>[] = [
  { key: "seen", head: "Seen", width: 64, cell: ({ seenAt }) => <Seen at={seenAt} /> },
  {
    key: "type",
    head: "Type",
    width: 104,
    cell: ({ eventType }) => <EventTypeMark type={eventType} />,
  },
  {
    key: "subject",
    head: "Subject",
    cell: (row) => row.subject ?? <span className="text-text-3">{subjectOf(row)}</span>,
  },
  { key: "from", head: "From", width: 200, from: 880, cell: senderOf },
  {
    key: "mailbox",
    head: "Mailbox",
    width: 136,
    from: 1040,
    cell: ({ mailbox }) => mailbox.split("@")[0],
  },
  { key: "folder", head: "Folder", width: 104, from: 1200, cell: (row) => row.folderName ?? "–" },
  { key: "by", head: "By", width: 48, from: 560, cell: ({ seenBy }) => SEEN_BY[seenBy] },
  { key: "lag", head: "Lag", width: 64, align: "right", from: 560, cell: lagOf },
];
