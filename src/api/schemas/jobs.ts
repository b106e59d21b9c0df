import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { byId, dryRun, EXAMPLE_ID, limit, maybeTime, text, time } from "./common.ts";

const JobState = z.enum(["Queued", "Running", "Completed", "Failed", "Poisoned", "Cancelled"]);
const moment = z.iso.datetime();

const JobStatus = z
  .object({
    jobId: z.string(),
    jobType: z.string(),
    subjectId: z.string(),
    correlationId: z.string(),
    status: JobState,
    attempt: z.int(),
    maxAttempts: z.int(),
    createdAt: moment,
    startedAt: moment.nullable(),
    completedAt: moment.nullable(),
    errorCode: text,
    errorMessage: text,
    note: z.string().optional().describe("what a finished job did, or why it did nothing"),
  })
  .meta({ id: "JobStatus" });

const tags = ["jobs"];
const params = byId("a job");
const example = { params: { id: EXAMPLE_ID } };

export const listJobs = {
  operationId: "listJobs",
  summary: "Jobs, newest first",
  tags,
  querystring: z.object({
    state: JobState.optional(),
    queue: z.string().max(200).optional(),
    type: z.string().max(200).optional(),
    subjectId: z.string().max(2_000).optional(),
    cursor: cursorOf("jobs", z.guid()),
    limit: limit(200, 50),
  }),
  response: { 200: z.object({ jobs: z.array(JobStatus), next }) },
  example: { query: { state: "Completed", limit: 10 } },
};

export const viewWorkers = {
  operationId: "viewWorkers",
  summary: "Running workers, and what they did by hour, error and stage",
  tags,
  querystring: z.object({ hours: z.coerce.number().positive().max(192).default(24) }),
  response: {
    200: z.object({
      workers: z
        .array(
          z.object({
            id: z.int(),
            name: z.string(),
            startedAt: time,
            until: time,
            jobs: z.int(),
          }),
        )
        .readonly(),
      durations: z
        .array(
          z.object({
            worker: z.string(),
            hour: time,
            jobs: z.int(),
            averageMs: z.number(),
            maxMs: z.number(),
          }),
        )
        .readonly(),
      failures: z.array(z.object({ errorCode: z.string(), hour: time, jobs: z.int() })).readonly(),
      stages: z
        .array(z.object({ stage: z.string(), completed: z.int(), failed: z.int() }))
        .readonly(),
      parked: z
        .array(z.object({ queue: z.string(), type: z.string(), jobs: z.int(), since: time }))
        .readonly()
        .describe("jobs that wait because no worker knows their type"),
    }),
  },
  example: { query: { hours: 24 } },
};

export const getJobStatus = {
  operationId: "getJobStatus",
  summary: "The status of a job, for its owner and for operators",
  tags,
  params,
  response: { 200: JobStatus },
  example,
};

export const cancelJob = {
  operationId: "cancelJob",
  summary: "Cancel a job that has not ended",
  tags,
  params,
  response: { 200: z.object({ jobId: z.string(), isCancelled: z.boolean() }) },
  example,
};

export const streamJob = {
  operationId: "streamJob",
  summary: "The progress of a job; ends with `job-complete` or `job-failed`",
  tags,
  params,
  response: {
    200: {
      description: "Server-sent events; `Last-Event-ID` continues after what was seen",
      content: { "text/event-stream": { schema: z.string() } },
    },
  },
  example,
};

const DeadLetter = z
  .object({
    jobId: z.string(),
    jobType: z.string(),
    queue: z.string(),
    subjectId: z.string(),
    cause: z.string().describe("the same for jobs that died of the same cause"),
    errorCode: z.string(),
    errorMessage: z.string(),
    attempt: z.int(),
    diedAt: time,
    isReplayable: z.boolean().describe("false for a message that was never a job"),
  })
  .meta({ id: "DeadLetter" });

const DeadCause = z
  .object({
    cause: z.string(),
    jobType: z.string(),
    errorCode: z.string(),
    pattern: z.string(),
    count: z.int(),
    firstAt: time,
    lastAt: time,
    sampleJobId: z.string(),
    advice: z.string(),
  })
  .meta({ id: "DeadCause" });

const DeadLetterStory = DeadLetter.extend({
  payload: z.unknown(),
  createdAt: time,
  correlationId: z.string(),
  takeovers: z.int(),
  advice: z.string(),
  sameCause: z.int().describe("how many others died of the same cause"),
  history: z
    .array(
      z.object({
        jobId: z.string(),
        newJobId: text,
        result: z.string(),
        who: z.string(),
        why: z.string(),
        at: time,
      }),
    )
    .readonly(),
}).meta({ id: "DeadLetterStory" });

const Replay = z
  .object({
    replayId: z.string(),
    who: z.string(),
    why: z.string(),
    total: z.int(),
    replayed: z.int(),
    superseded: z.int().describe("those whose work another job did meanwhile"),
    createdAt: time,
    finishedAt: maybeTime,
  })
  .meta({ id: "Replay" });

const ofDeadLetters = ["dead letters"];
const Filter = z.object({
  cause: z.string().max(64).optional(),
  queue: z.string().max(200).optional(),
  type: z.string().max(200).optional(),
  code: z.string().max(200).optional(),
  subjectId: z.string().max(2_000).optional(),
});
const Choice = Filter.extend({
  ids: z.array(z.guid()).max(1_000).optional(),
  all: z.boolean().optional().describe("required if nothing else selects dead letters"),
  why: z.string().min(1).max(1_000),
  dryRun,
});

export const listDeadLetters = {
  operationId: "listDeadLetters",
  summary: "Jobs that ended badly and wait for a person, newest first",
  tags: ofDeadLetters,
  querystring: Filter.extend({
    cursor: cursorOf("dead letters", z.guid()),
    limit: limit(1_000, 100),
  }),
  response: { 200: z.object({ deadLetters: z.array(DeadLetter), next }) },
  example: { query: { limit: 10 } },
};

export const listDeadCauses = {
  operationId: "listDeadCauses",
  summary: "Dead letters by cause, largest group first, with advice",
  tags: ofDeadLetters,
  querystring: Filter.extend({
    // Largest first, so a page ends at a size and, among equals, at a cause.
    cursor: cursorOf("dead causes", z.tuple([z.int(), z.string()])),
    limit: limit(200, 50),
  }),
  response: { 200: z.object({ causes: z.array(DeadCause), next }) },
  example: { query: { limit: 10 } },
};

export const listReplays = {
  operationId: "listReplays",
  summary: "Replays, newest first",
  tags: ofDeadLetters,
  querystring: z.object({ cursor: cursorOf("replays", z.guid()), limit: limit(200, 50) }),
  response: { 200: z.object({ replays: z.array(Replay), next }) },
  example: { query: { limit: 10 } },
};

export const getReplay = {
  operationId: "getReplay",
  summary: "The progress of a replay",
  tags: ofDeadLetters,
  params: byId("a replay"),
  response: { 200: Replay },
  example,
};

export const explainDeadLetter = {
  operationId: "explainDeadLetter",
  summary: "One dead letter with its payload, its history and advice",
  tags: ofDeadLetters,
  params: byId("a dead letter"),
  response: { 200: DeadLetterStory },
  example,
};

export const replayDeadLetters = {
  operationId: "replayDeadLetters",
  summary: "Run dead letters again",
  tags: ofDeadLetters,
  body: Choice.extend({ perSecond: z.int().min(1).max(10_000).optional() }),
  response: {
    200: z.object({
      dryRun: z.literal(true),
      total: z.int(),
      notReplayable: z.int(),
      causes: z.array(DeadCause),
    }),
    202: Replay.extend({ statusUrl: z.string() }),
  },
  example: { body: { code: "graph.unavailable", why: "Graph is back", dryRun: true } },
};

export const dismissDeadLetters = {
  operationId: "dismissDeadLetters",
  summary: "Close dead letters without running them again",
  tags: ofDeadLetters,
  body: Choice,
  response: {
    200: z.union([
      z.object({ dryRun: z.literal(true), total: z.int() }),
      z.object({ dismissed: z.int() }),
    ]),
  },
  example: { body: { code: "mail.too-large", why: "handled by hand", dryRun: true } },
};
