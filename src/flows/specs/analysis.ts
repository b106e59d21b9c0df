/** Analyses and their jobs, as doors know them. */
import * as z from "zod";
import type { Analysis } from "../../analysis/analysis-table.ts";
import type { ExportedFile, ExportFormat } from "../../analysis/export-analysis.ts";
import type { Sender } from "../../filing/actors.ts";
import type { Parent } from "../../filing/container.ts";
import type { Filing } from "../../filing/filing.ts";
import { defineJob } from "../../jobs/job.ts";
import type { Authorization } from "../../rights/authorize-documents.ts";

/** Analyses a document with a playbook; the profile is written to the record. */
export const aiAnalyze = defineJob({
  type: "ai-analyze",
  queue: "analysis",
  jobsPerMessageMax: 1,
  stage: "analysis",
  payload: z.object({
    documentId: z.guid(),
    playbookId: z.string(),
    /** Whose budget it counts against; null is the app's. */
    personId: z.string().nullable(),
  }),
  maxAttempts: 5,
});

/** What a stream sends. */
export interface AnalysisEvent {
  readonly type: "metadata" | "chunk" | "done" | "error";
  readonly content: string | null;
  readonly done: boolean;
  readonly analysisId?: string;
  readonly documentName?: string;
  readonly tokenUsage?: { readonly input: number; readonly output: number };
  readonly error?: string;
  /** True if the result is complete but could not be stored; the message says so. */
  readonly partialStorage?: boolean;
  readonly storageMessage?: string;
}

export interface Analyses {
  readonly isOn: boolean;
  readonly allowsManyDocuments: boolean;
  /** Whether the caller may read all of these documents now. */
  authorize(
    caller: Sender,
    documentIds: readonly string[],
    correlationId: string,
    signal?: AbortSignal,
  ): Promise<Authorization>;
  /** Runs a playbook over documents that the caller was authorised for; ends with `done` or `error`. */
  execute(
    caller: Sender,
    request: { readonly documentIds: readonly string[]; readonly playbookId: string },
    emit: (event: AnalysisEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Null if the caller has no analysis with this id. */
  get(caller: Sender, id: string): Promise<Analysis | null>;
  /** Sends a completed analysis again and writes any other one again. */
  resume(
    caller: Sender,
    analysis: Analysis,
    emit: (event: AnalysisEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Answers a question about it. */
  continue(
    caller: Sender,
    analysis: Analysis,
    question: string,
    emit: (event: AnalysisEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Files it as a document, as the caller. */
  save(
    caller: Sender,
    analysis: Analysis,
    wanted: {
      readonly format: ExportFormat;
      readonly fileName?: string | undefined;
      readonly containerId?: string | undefined;
      readonly parent: Parent | null;
    },
  ): Promise<Filing>;
  export(analysis: Analysis, format: ExportFormat): Promise<ExportedFile>;
  /** Adds the job and returns its id. */
  enqueue(
    caller: Sender,
    request: {
      readonly documentId: string;
      readonly playbookId: string;
      readonly correlationId: string;
    },
  ): Promise<string>;
}
