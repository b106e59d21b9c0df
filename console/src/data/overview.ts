import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask } from "./api.ts";

export type Overview = Schemas["Overview"];

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
