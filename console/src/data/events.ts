/** Events: pages from the newest back, and new ones as they happen. Memory keeps a bounded number of rows. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, tell, toUrl } from "./api.ts";
import { follow } from "./stream.ts";

export type MailEvent = Schemas["Event"];

/** Named as the API names them: the page's URL is the API's query. */
export interface EventFilter {
  readonly mailbox?: string | undefined;
  readonly type?: string | undefined;
  readonly seenBy?: string | undefined;
  readonly senderDomain?: string | undefined;
  readonly folder?: string | undefined;
  readonly text?: string | undefined;
  readonly messageId?: string | undefined;
}

const PAGE_ROWS = 100;
/** The rows that a page of events keeps, whatever happens while it is open. */
export const ROWS_MAX = 2_000;

interface Page {
  readonly events: MailEvent[];
  readonly next: string | null;
}

export function useEventPages(filter: EventFilter) {
  return useInfiniteQuery({
    queryKey: ["events", filter],
    queryFn: ({ pageParam, signal }) =>
      ask<Page>("/api/events", { ...filter, cursor: pageParam, limit: PAGE_ROWS }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last, all) => (all.length * PAGE_ROWS >= ROWS_MAX ? null : last.next),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
}

export function useEvent(seq: number | undefined) {
  return useQuery({
    queryKey: ["event", seq],
    enabled: seq !== undefined,
    queryFn: async ({ signal }) =>
      (await ask<Page>("/api/events", { after: seq! + 1, limit: 1 }, signal)).events[0] ?? null,
  });
}

export interface Tail {
  readonly arrived: readonly MailEvent[];
  readonly isLive: boolean;
  /** When the stream was last heard, while it is broken. */
  readonly silentSince: Date | null;
  take(): readonly MailEvent[];
}

interface Arrived {
  /** Rows of another filter are not of this list. */
  readonly key: string;
  readonly rows: readonly MailEvent[];
  readonly lastSeq: number;
}

/**
 * New events after the first page of the list, newest first, until somebody takes them. A pause loses none: the tail
 * goes on after the last event that it brought.
 */
export function useEventTail(
  filter: EventFilter,
  from: { newestSeq: number | undefined; isPaused: boolean; isLoading: boolean },
): Tail {
  const { newestSeq, isPaused, isLoading } = from;
  const key = JSON.stringify(filter);
  const [state, setState] = useState<Arrived>({ key, rows: [], lastSeq: 0 });
  const [isLive, setLive] = useState(false);
  const [silentSince, setSilentSince] = useState<Date | null>(null);
  const arrived = state.key === key ? state.rows : NONE;
  const after = useRef<number>(undefined);
  after.current = Math.max(newestSeq ?? 0, state.key === key ? state.lastSeq : 0) || undefined;
  useEffect(() => {
    if (isPaused || isLoading) return;
    const query = { ...(JSON.parse(key) as EventFilter), after: after.current };
    return follow(toUrl("/api/events/tail", query), {
      event: ({ name, data }) => {
        if (name !== "event") return;
        const event = data as MailEvent;
        setState((before) => ({
          key,
          lastSeq: event.seq,
          rows: [event, ...(before.key === key ? before.rows : [])].slice(0, ROWS_MAX),
        }));
      },
      live: (now) => {
        setLive(now);
        setSilentSince(now ? null : new Date());
      },
    });
  }, [key, isPaused, isLoading]);
  return {
    arrived,
    isLive: isLive && !isPaused,
    silentSince,
    take: () => {
      setState((before) => ({ ...before, rows: [] }));
      return arrived;
    },
  };
}

const NONE: readonly MailEvent[] = [];

/** What masking hides of an event. */
export type Revealed = Pick<MailEvent, "subject" | "sender" | "internetMessageId">;

export const revealEvent = (seq: number): Promise<Revealed> =>
  tell<Revealed>("POST", `/api/events/${seq}/reveal`);
