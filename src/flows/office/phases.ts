/** The progress of a save, for those who follow it. */
import { noteProgress } from "../../jobs/status/note-progress.ts";
import type { Transaction } from "../../store/database.ts";
import { PHASES, type Phase, type PhaseEvent } from "../specs/office.ts";

export async function notePhase(
  tx: Transaction,
  jobId: string,
  phase: Phase,
  atMs: number,
): Promise<void> {
  const event: PhaseEvent = { phase, progress: PHASES[phase], at: new Date(atMs).toISOString() };
  await noteProgress(tx, jobId, "stage-update", event);
}
