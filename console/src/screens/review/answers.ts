/**
 * Answers on their way. The next question comes at once; an answer is "sending" until the job has applied it. If it
 * cannot be applied, its question comes back to the top with the reason.
 */
import { useSyncExternalStore } from "react";
import { ApiProblem } from "../../data/api.ts";
import { queryClient } from "../../data/query.ts";
import {
  type Decision,
  decide,
  findOpen,
  loadQuestion,
  type ReviewRow,
  undoAnswer,
} from "../../data/reviews.ts";
import { dropDraft } from "./drafts.ts";

export interface Answer {
  readonly id: number;
  readonly label: string;
  readonly action: Decision["action"];
  readonly state: "sending" | "done" | "failed" | "undoing" | "undone";
  /** Why it failed, or why it could not be undone. */
  readonly why: string | null;
}

const KEPT = 20;
const LOOK_MS = 700;
const LOOKS_MAX = 120;
const RETRY_MS = 2_000;
/** No answer, an expired token that the reader renews, or a server that is busy or starting. */
const PASSING: readonly number[] = [0, 401, 429, 502, 503, 504];
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
  put({ id, label, action: decision.action, state: "sending", why: null });
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
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      await decide(id, decision);
      return;
    } catch (error) {
      const status = error instanceof ApiProblem ? error.status : null;
      // The first try may have arrived although its answer was lost.
      if (status === 409 && isRepeated && (await isStored(id, decision))) return;
      if (status === null || !PASSING.includes(status)) throw error;
      await pause(RETRY_MS);
    }
  }
}

async function isStored(id: number, decision: Decision): Promise<boolean> {
  const { decision: stored } = await loadQuestion(id);
  return stored !== null && isPart(decision, stored);
}

/** The server stores a decision with its keys in another order, and may add some. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([key, value]) =>
    isPart(value, (whole as Record<string, unknown>)[key]),
  );
}

async function untilApplied(id: number): Promise<void> {
  // A look without an answer does not count: the server may be away for long.
  for (let looks = 0; looks < LOOKS_MAX; ) {
    const question = await loadQuestion(id).catch(() => null);
    if (question !== null) looks += 1;
    if (question?.status === "applied") {
      dropDraft(id);
      return change(id, { state: "done" });
    }
    if (question?.status === "open" && question.refusal !== null) throw new Error(question.refusal);
    await pause(LOOK_MS);
  }
  throw new Error("Your answer is saved, but no worker has applied it yet.");
}

/** Takes an answer back; returns the question that is asked again. */
export async function undo(last: Answer): Promise<number | null> {
  change(last.id, { state: "undoing" });
  try {
    await undoAnswer(last.id, "undone in review");
    change(last.id, { state: "undone" });
    return await findAgain(last.id);
  } catch (error) {
    change(last.id, { state: "done", why: (error as Error).message });
    return null;
  } finally {
    void queryClient.invalidateQueries({ queryKey: ["reviews"] });
    void queryClient.invalidateQueries({ queryKey: ["overview"] });
  }
}

/** It has another number, but is about the same. */
async function findAgain(id: number): Promise<number | null> {
  const [asked, open] = await Promise.all([loadQuestion(id), findOpen()]);
  const isSame = ({ lineId, documentId, tradeId, subject }: ReviewRow) =>
    asked.lineId === null
      ? subject === asked.subject && documentId === asked.documentId && tradeId === asked.tradeId
      : lineId === asked.lineId;
  return open.find(isSame)?.id ?? null;
}

/** What made several trades is undone trade by trade. */
export const lastUndoable = (all: readonly Answer[]): Answer | undefined =>
  all.find(({ state, why, action }) => state === "done" && why === null && action !== "split");

/** An answer that came too late, once its reader has seen what was answered instead. */
export function forget(id: number): void {
  answers = answers.filter((each) => each.id !== id || each.state !== "failed");
  dropDraft(id);
  tellAll();
}

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
