/** Saving from Office, and its jobs, as doors know them. */
import * as z from "zod";
import type { Sender } from "../../filing/actors.ts";
import {
  type AiOptions,
  type OfficeSave,
  SAVED_KINDS,
  TARGETS,
} from "../../filing/office/office-save.ts";
import { defineJob } from "../../jobs/job.ts";

const maybe = <T extends z.ZodType>(type: T) => type.nullish();

/** What another program asks for: a file that it has put into the container becomes a document. */
const MessagePayload = z.object({
  contentType: z.enum(SAVED_KINDS),
  associationType: z.enum(TARGETS),
  associationId: z.guid(),
  containerId: maybe(z.string().max(300)),
  folderPath: maybe(z.string().max(400)),
  /** The id of an item in the container; a path or an address is refused. */
  tempFileLocation: z.string().regex(/^[A-Za-z0-9!_-]{1,200}$/, "must be the id of an item"),
  fileName: z.string().min(1).max(400),
  mimeType: maybe(z.string().max(255)),
  emailMetadata: maybe(
    z.object({
      subject: maybe(z.string().max(1_000)),
      senderEmail: maybe(z.string().max(1_000)),
      recipients: maybe(z.array(z.object({ email: z.string().max(1_000) })).max(500)),
      sentDate: maybe(z.iso.datetime({ offset: true })),
      receivedDate: maybe(z.iso.datetime({ offset: true })),
      internetMessageId: maybe(z.string().max(1_000)),
      conversationId: maybe(z.string().max(1_000)),
    }),
  ),
  triggerAiProcessing: maybe(z.boolean()),
  aiOptions: maybe(
    z.object({
      profileSummary: z.boolean().default(true),
      ragIndex: z.boolean().default(true),
      deepAnalysis: z.boolean().default(false),
    }),
  ),
});
export type MessagePayload = z.output<typeof MessagePayload>;

/** Their names begin with capitals or not, whichever program wrote them. */
const lowerFirst = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lowerFirst);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      (name[0] ?? "").toLowerCase() + name.slice(1),
      lowerFirst(each),
    ]),
  );
};

/** Writes the records of a save whose files are on the drive. Its key is `{saveId}-upload`. */
export const uploadFinalization = defineJob({
  type: "UploadFinalization",
  queue: "office-upload-finalization",
  jobsPerMessageMax: 1,
  stage: "upload",
  payload: z.union([z.object({ saveId: z.guid() }), z.preprocess(lowerFirst, MessagePayload)]),
  maxAttempts: 5,
});

const aboutDocument = z.preprocess(lowerFirst, z.object({ documentId: z.guid() }));

/** Describes a document: summary, keywords, type. Its key is `analysis-{documentId}-Document Profile-{version}`. */
export const officeProfile = defineJob({
  type: "Profile",
  queue: "office-profile",
  jobsPerMessageMax: 1,
  stage: "profile",
  payload: aboutDocument,
});

/** Brings the index up to date. Its key is `doc-{documentId}-v{version}`. */
export const officeIndexing = defineJob({
  type: "Indexing",
  queue: "office-indexing",
  jobsPerMessageMax: 1,
  stage: "indexing",
  payload: aboutDocument,
});

/** Its key is `analysis-{documentId}-Deep Analysis-{version}`. */
export const officeDeepAnalysis = defineJob({
  type: "DeepAnalysis",
  queue: "office-profile",
  jobsPerMessageMax: 1,
  stage: "deep-analysis",
  payload: aboutDocument,
});

/** The progress of a save. The names and numbers are those that add-ins know. */
export const PHASES = {
  FileUploading: 10,
  FileUploaded: 30,
  RecordsCreating: 40,
  FileAlreadyUploaded: 50,
  RecordsCreated: 60,
  AttachmentsProcessed: 65,
  ProfileGenerating: 75,
  IndexingQueued: 85,
  Complete: 100,
} as const;
export type Phase = keyof typeof PHASES;

export interface PhaseEvent {
  readonly phase: Phase;
  readonly progress: number;
  /** ISO time. */
  readonly at: string;
}

export interface SaveAnswer {
  readonly jobId: string;
  readonly isDuplicate: boolean;
}

/** A save as its owner sees it. */
export interface OfficeJobStatus {
  readonly jobId: string;
  readonly status: "Queued" | "Running" | "Completed" | "Failed" | "Cancelled";
  readonly jobType: "EmailSave" | "AttachmentSave" | "DocumentSave";
  readonly progress: number;
  readonly currentPhase: Phase | null;
  readonly completedPhases: { name: Phase; completedAt: string; durationMs: number }[];
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly result: {
    artifact: {
      type: string;
      id: string;
      name: string;
      webUrl: string | null;
      attachments: string[];
    };
    extractedMetadata: {
      subject: string | null;
      sender: string | null;
      date: string | null;
    } | null;
  } | null;
  readonly error: {
    code: string;
    message: string;
    retryable: boolean;
    retryCount: number;
  } | null;
}

/** A save as its stream shows it: the number rises with every change. */
export interface OfficeJobView {
  readonly status: OfficeJobStatus;
  /** The id of the job's row, which only this process needs. */
  readonly rowId: string;
  readonly version: number;
  readonly isFinished: boolean;
  readonly events: { version: number; name: string; data: unknown }[];
}

/** A deep analysis that a save asked for. */
export interface OfficeAnalysis {
  readonly documentId: string;
  readonly name: string;
  /** A failed attempt that is tried again waits. */
  readonly state: "waiting" | "running" | "completed" | "failed";
  /** The model, or `extractive`. */
  readonly author: string | null;
  readonly content: string;
  /** The code of the failure. */
  readonly error: string | null;
}

/** A save answers at once and its work continues; so `src/app/` passes these functions to the routes. */
export interface OfficeSaves {
  save(sender: Sender, save: OfficeSave, key: string | null): Promise<SaveAnswer>;
  /** Null if the caller has no such save. */
  getJob(ownerId: string, id: string, afterVersion?: number): Promise<OfficeJobView | null>;
  /** Its deep analyses of documents that the caller may read now; null if the caller has no such save. */
  findAnalyses(caller: Sender, id: string): Promise<OfficeAnalysis[] | null>;
  /** Null if the job was removed. */
  getVersion(rowId: string): Promise<number | null>;
}

export type { AiOptions };
