/** Wires keeping and erasing. */
import { erasePerson, removeErasedFiles } from "../flows/keep/erase-person.ts";
import type { ErasePerson } from "../flows/specs/keep.ts";
import { retireMailbox } from "../mailbox/operating/add-mailbox.ts";
import type { Answers } from "./answers.ts";
import type { ContractNotes } from "./contract-notes.ts";
import type { Foundation } from "./foundation.ts";
import type { Watching } from "./watching.ts";

interface Parts {
  readonly notes: ContractNotes;
  readonly watching: Watching;
  readonly answers: Answers | null;
}

export interface Keep {
  readonly erase: ErasePerson;
  /** Removes the files of erasures that a crash interrupted. */
  resume(): Promise<void>;
}

export function createKeep(base: Foundation, { notes, watching, answers }: Parts): Keep {
  const { database, clock, random, config } = base;
  const { files, blobs } = notes;
  const needs = {
    ...{ database, clock, random, files, blobs },
    copy: answers?.index.copy ?? null,
    shared: config.ingest,
    retire: (mailbox: Parameters<typeof retireMailbox>[1]) =>
      retireMailbox(watching.subscriptions, mailbox),
  };
  return {
    erase: (asked) => erasePerson(needs, asked),
    resume: () =>
      removeErasedFiles(needs).catch((error: unknown) =>
        base.log.warn({ err: error }, "files of an erasure remain; the next start removes them"),
      ),
  };
}
