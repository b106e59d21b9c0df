import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, tell } from "./api.ts";
import { queryClient } from "./query.ts";

export type Job = Schemas["JobStatus"];

export interface JobFilter {
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  readonly subjectId?: string | undefined;
}

export const JOBS_MAX = 200;

export function useJobs(filter: JobFilter) {
  return useQuery({
    queryKey: ["jobs", filter],
    queryFn: async ({ signal }) =>
      (await ask<{ jobs: Job[] }>("/api/jobs", { ...filter, limit: JOBS_MAX }, signal)).jobs,
    refetchInterval: 5_000,
  });
}

export function useJob(id: string | undefined) {
  return useQuery({
    queryKey: ["job", id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => ask<Job>(`/api/jobs/${id}/status`, {}, signal),
    refetchInterval: 5_000,
  });
}

export async function cancelJob(id: string): Promise<boolean> {
  const { isCancelled } = await tell<{ isCancelled: boolean }>(
    "POST",
    `/api/jobs/${id}/cancel`,
    {},
  );
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
  return isCancelled;
}

export type DeadCause = Schemas["DeadCause"];

export function useDeadCauses() {
  return useQuery({
    queryKey: ["dlq"],
    queryFn: async ({ signal }) =>
      (await ask<{ causes: DeadCause[] }>("/api/dlq/causes", {}, signal)).causes,
    refetchInterval: 10_000,
  });
}

export type Replay = Schemas["Replay"];

export const previewReplay = (cause: string) =>
  tell<{ total: number; notReplayable: number }>("POST", "/api/dlq/replay", {
    cause,
    why: "preview",
    dryRun: true,
  });

export const startReplay = (cause: string, why: string) =>
  tell<Replay>("POST", "/api/dlq/replay", { cause, why });

export async function dismiss(cause: string, why: string): Promise<number> {
  const { dismissed } = await tell<{ dismissed: number }>("POST", "/api/dlq/dismiss", {
    cause,
    why,
  });
  void queryClient.invalidateQueries({ queryKey: ["dlq"] });
  return dismissed;
}

export function useReplay(id: string) {
  return useQuery({
    queryKey: ["replay", id],
    queryFn: ({ signal }) => ask<Replay>(`/api/dlq/replays/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : 1_000),
  });
}
