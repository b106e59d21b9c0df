/**
 * What else the words of a search find, each kind under its own right: mail for the owner of its mailbox and for
 * operators; notes, trades and questions for reviewers and above. What somebody may not see is not even counted.
 */
import {
  findMail,
  findNotes,
  findReviewsByWords,
  findTradesByWords,
} from "../../search/record-table.ts";
import { wordsOf } from "../../search/understand-query.ts";
import type { Database } from "../../store/database.ts";
import type { FoundRecord, RecordRights } from "../specs/search.ts";

const WORDS_MAX = 8;

export async function findRecords(
  database: Database,
  rights: RecordRights,
  query: string,
  limit: number,
): Promise<FoundRecord[]> {
  const words = wordsOf(query).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  const ownerId = rights.seesAllMail ? null : rights.personId;
  const lists = await Promise.all([
    findMail(database, words, ownerId, limit),
    ...(rights.seesTrades
      ? [
          findTradesByWords(database, words, limit),
          findReviewsByWords(database, words, limit),
          findNotes(database, words, limit),
        ]
      : []),
  ]);
  return lists.flat().map((found) => ({ ...found, date: found.date?.toISOString() ?? null }));
}
