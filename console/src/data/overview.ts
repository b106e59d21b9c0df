import { useQuery } from "@tanstack/react-query";
import { ask } from "./api.ts";

export interface Overview {
  readonly at: string;
  readonly events: {
    readonly today: number;
    readonly byPush: number;
    readonly rescued: number;
    readonly medianSeconds: number | null;
    readonly p99Seconds: number | null;
    readonly weekdayAverage: number | null;
    readonly minutes: readonly {
      readonly at: string;
      readonly push: number;
      readonly other: number;
      readonly medianSeconds: number | null;
      readonly p99Seconds: number | null;
    }[];
  };
  readonly trades: {
    readonly booked: number;
    readonly withoutPerson: number;
    readonly needsAudit: number;
  } | null;
  readonly reviews: {
    readonly open: number;
    readonly oldestAt: string | null;
    readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  } | null;
  readonly queues:
    | readonly {
        readonly queue: string;
        readonly queued: number;
        readonly running: number;
        readonly oldestDueAt: string | null;
      }[]
    | null;
  readonly deadLetters:
    | readonly {
        readonly cause: string;
        readonly pattern: string;
        readonly jobType: string;
        readonly count: number;
        readonly lastAt: string;
      }[]
    | null;
  readonly actions:
    | readonly {
        readonly at: string;
        readonly who: string;
        readonly whoName: string | null;
        readonly operation: string;
        readonly path: string;
        readonly status: number | null;
      }[]
    | null;
}

const REFRESH_MS = 5_000;

export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => {
      const midnight = new Date();
      midnight.setHours(0, 0, 0, 0);
      return ask<Overview>("/api/overview", { dayStart: midnight.toISOString() }, signal);
    },
    refetchInterval: REFRESH_MS,
  });
}
