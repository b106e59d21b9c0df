/** Wires keeping and erasing. */
import { redactActions } from "../api/access/action-table.ts";
import { eraseKeptAnswers } from "../api/http/kept-answer-table.ts";
import { erasePerson, removeErasedFiles } from "../flows/keep/erase-person.ts";
import type { ErasePerson } from "../flows/specs/keep.ts";
import { every } from "../lib/clock.ts";
import { retireMailbox } from "../mailbox/operating/add-mailbox.ts";
import type { Answers } from "./answers.ts";
import type { ContractNotes } from "./contract-notes.ts";
import type { Closers, Foundation } from "./foundation.ts";
import type { Watching } from "./watching.ts";

interface Parts {
  readonly notes: ContractNotes;
  readonly watching: Watching;
  readonly answers: Answers | null;
}

export interface Keep {
  readonly erase: ErasePerson;
  /** Removes the files of erasures that a crash or an outage left, now and every hour. */
  begin(): Promise<void>;
}

const RESUME_EVERY_MS = 60 * 60_000;

export function createKeep(
  base: Foundation,
  { notes, watching, answers }: Parts,
  closers: Closers,
): Keep {
  const { database, clock, random, log } = base;
  const { files, blobs } = notes;
  const needs = {
    database,
    clock,
    random,
    log,
    files,
    blobs,
    copy: answers?.index.copy ?? null,
    table: notes.table,
    answers: { erase: eraseKeptAnswers },
    actions: { redact: redactActions },
    retire: (mailbox: Parameters<typeof retireMailbox>[1]) =>
      retireMailbox(watching.subscriptions, mailbox),
  };
  const resume = async (): Promise<void> => void (await removeErasedFiles(needs));
  const complain = (error: unknown) =>
    log.warn({ err: error }, "files of an erasure remain; they are removed later");
  return {
    erase: (asked) => erasePerson(needs, asked),
    async begin() {
      await resume().catch(complain);
      closers.push(every(clock, RESUME_EVERY_MS, resume, complain));
    },
  };
}
