/**
 * Answers on their way. The next question comes at once; what was answered is "Confirming" until the job has done
 * it, and comes back to the top with its reason if it could not.
 */
import { useSyncExternalStore } from "react";
import { ApiProblem } from "../../data/api.ts";
import { queryClient } from "../../data/query.ts";
import { type Decision, decide, loadQuestion } from "../../data/reviews.ts";
import { undoTrade } from "../../data/trades.ts";
import { dropDraft } from "./drafts.ts";

export interface Answer {
  readonly id: number;
  readonly label: string;
  readonly action: Decision["action"];
  readonly state: "sending" | "done" | "failed" | "undone";
  readonly why: string | null;
  /** The trade that came of it, which can be taken back. */
  readonly tradeId: string | null;
}

const KEPT = 20;
const LOOK_MS = 700;
const LOOKS_MAX = 120;
let answers: readonly Answer[] = [];
const listeners = new Set<() => void>();

export function useAnswers(): readonly Answer[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => answers,
  );
}

export async function answer(id: number, label: string, decision: Decision): Promise<void> {
  put({ id, label, action: decision.action, state: "sending", why: null, tradeId: null });
  try {
    await send(id, decision);
    await untilApplied(id);
  } catch (error) {
    change(id, { state: "failed", why: (error as Error).message });
  }
  void queryClient.invalidateQueries({ queryKey: ["reviews"] });
  void queryClient.invalidateQueries({ queryKey: ["overview"] });
}

/** Retries if the server is silent or busy; a refusal is final. */
async function send(id: number, decision: Decision): Promise<void> {
  for (;;) {
    try {
      await decide(id, decision);
      return;
    } catch (error) {
      const isPassing =
        error instanceof ApiProblem && [0, 401, 429, 502, 503].includes(error.status);
      if (!isPassing) throw error;
      await pause(2_000);
    }
  }
}

async function untilApplied(id: number): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const question = await loadQuestion(id).catch(() => null);
    if (question?.status === "applied") {
      dropDraft(id);
      return change(id, { state: "done", tradeId: question.line?.tradeId ?? null });
    }
    if (question?.status === "open" && question.refusal !== null) throw new Error(question.refusal);
    await pause(LOOK_MS);
  }
  throw new Error("It was sent, but no worker has carried it out yet.");
}

export async function undo(last: Answer): Promise<void> {
  if (last.tradeId === null) return;
  change(last.id, { state: "sending" });
  try {
    await undoTrade(last.tradeId, "taken back in review");
    change(last.id, { state: "undone" });
  } catch (error) {
    change(last.id, { state: "failed", why: (error as Error).message });
  }
  void queryClient.invalidateQueries({ queryKey: ["reviews"] });
}

export const lastUndoable = (all: readonly Answer[]): Answer | undefined =>
  all.find(({ state, tradeId }) => state === "done" && tradeId !== null);

function put(next: Answer): void {
  answers = [next, ...answers.filter(({ id }) => id !== next.id)].slice(0, KEPT);
  tellAll();
}

function change(id: number, changes: Partial<Answer>): void {
  answers = answers.map((each) => (each.id === id ? { ...each, ...changes } : each));
  tellAll();
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function tellAll(): void {
  for (const listener of listeners) listener();
}
