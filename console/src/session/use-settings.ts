import { useQuery } from "@tanstack/react-query";
import { type ConsoleSettings, loadSettings } from "./session.ts";

const NONE: ConsoleSettings = { version: "", isDemo: false, people: [], signIn: null };

export function useSettings(): ConsoleSettings {
  const { data } = useQuery({
    queryKey: ["settings"],
    queryFn: loadSettings,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}
