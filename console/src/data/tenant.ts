/** The tenant on this machine: only with `postroom up`, and only for operators. */
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, tell } from "./api.ts";
import { queryClient } from "./query.ts";

export type TenantState = Schemas["TenantState"];
export type TenantFault = Schemas["TenantFault"];
export type Verdict = "pass" | "fail" | "none";

export function useTenant(isWanted = true) {
  return useQuery({
    queryKey: ["tenant"],
    enabled: isWanted,
    queryFn: ({ signal }) => ask<TenantState>("/api/tenant", {}, signal),
    refetchInterval: 10_000,
  });
}

/** Faults fire and clocks move, so the state is read again after each action. */
async function act<T>(method: "POST" | "DELETE", path: string, body?: object): Promise<T> {
  const answer = await tell<T>(method, `/api/tenant${path}`, body);
  void queryClient.invalidateQueries({ queryKey: ["tenant"] });
  return answer;
}

export interface NewMail {
  readonly to: string;
  readonly isNote: boolean;
  readonly auth?: Verdict;
  readonly from?: string;
  readonly subject?: string;
  readonly body?: string;
}

export const sendMail = (mail: NewMail): Promise<{ id: string; subject: string }> =>
  act("POST", "/mail", mail);

export const armFault = (fault: {
  readonly kind: string;
  readonly times?: number;
  readonly where?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, number>>;
}): Promise<TenantFault> => act("POST", "/faults", fault);

export const clearFaults = (id?: string): Promise<void> =>
  act("DELETE", id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`);

export const advanceClock = (by: string): Promise<TenantState["clock"]> =>
  act("POST", "/clock", { by });

export const playScenario = (name: string): Promise<{ steps: string[] }> =>
  act("POST", `/scenarios/${encodeURIComponent(name)}`);
