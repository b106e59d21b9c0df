/** Jobs that ended badly and wait for a person. */
import { type FaultCode, faultCodes, remedyOf } from "../../lib/fault.ts";

export interface DeadLetterFilter {
  readonly ids?: readonly string[] | undefined;
  readonly cause?: string | undefined;
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly subjectId?: string | undefined;
}

export interface DeadLetter {
  readonly jobId: string;
  readonly jobType: string;
  readonly queue: string;
  readonly subjectId: string;
  readonly cause: string;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly attempt: number;
  readonly diedAt: Date;
  /** False for a message that was never a job. */
  readonly isReplayable: boolean;
}

export interface DeadCause {
  readonly cause: string;
  readonly jobType: string;
  readonly errorCode: string;
  readonly pattern: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly sampleJobId: string;
  readonly advice: string;
}

export interface DeadLetterStory extends DeadLetter {
  readonly payload: unknown;
  readonly createdAt: Date;
  readonly correlationId: string;
  readonly takeovers: number;
  readonly advice: string;
  /** How many others died of the same cause. */
  readonly sameCause: number;
  /** Every replay of the same work, oldest first. */
  readonly history: readonly ReplayRecord[];
}

export interface ReplayRecord {
  readonly jobId: string;
  readonly newJobId: string | null;
  readonly result: string;
  readonly who: string;
  readonly why: string;
  readonly at: Date;
}

const ADVICE = {
  retry: "replay it: the other side was not available and may be now",
  wait: "replay it: it waited longer than allowed",
  "ask-a-person": "change the permission, the setting or the document first, then replay it",
  "give-up": "replay it only if the code or the data has changed; otherwise dismiss it",
} as const;

export function adviceFor(errorCode: string): string {
  const isKnown = (faultCodes as readonly string[]).includes(errorCode);
  return ADVICE[isKnown ? remedyOf(errorCode as FaultCode) : "ask-a-person"];
}
