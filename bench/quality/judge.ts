import { findChunks, type SearchFilter } from "../../src/search/chunk-table.ts";
import type { SearchIndex } from "../../src/search/search-index.ts";
import type { Database } from "../../src/store/database.ts";
import type { LabelledQuestion } from "../../tenant/content/library/questions.ts";

export type Mode = "text" | "vector" | "hybrid";

export interface Judged {
  readonly question: LabelledQuestion;
  readonly mode: Mode;
  /** Of the first right passage, counting from 1; null if it is not among the first ten. */
  readonly rank: number | null;
  readonly recall: number;
  readonly ndcg: number;
}

const CONSIDERED = 10;
const everything = async (documentIds: readonly string[]) => new Set(documentIds);

/** Finds the first ten passages and compares them with the sentence that answers the question. */
export async function judge(
  database: Database,
  index: SearchIndex,
  filter: SearchFilter,
  question: LabelledQuestion,
  mode: Mode,
): Promise<Judged> {
  const { documents } = await index.find(question.text, filter, everything, { mode });
  const hits = documents
    .flatMap(({ chunks }) => chunks)
    .sort((a, b) => b.strength - a.strength || a.no - b.no)
    .slice(0, CONSIDERED);
  const nos = hits.map(({ no }) => no);
  const texts = new Map((await findChunks(database, nos)).map(({ no, content }) => [no, content]));
  const right = nos.map((no) => texts.get(no)!.includes(question.sentence));
  const first = right.indexOf(true);
  const all = await countRight(database, question.sentence);
  return {
    ...{ question, mode, rank: first < 0 ? null : first + 1 },
    recall: first >= 0 && first < 5 ? 1 : 0,
    ndcg: gainOf(right) / gainOf(new Array<boolean>(Math.min(all, CONSIDERED)).fill(true)),
  };
}

/** Near-duplicates and overlapping chunks contain the sentence too. */
async function countRight(database: Database, sentence: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    "SELECT count(*) AS count FROM postroom.chunk WHERE position($1 IN content) > 0",
    [sentence],
  );
  return rows[0]!.count;
}

const gainOf = (right: readonly boolean[]): number =>
  right.reduce((sum, isRight, index) => sum + (isRight ? 1 / Math.log2(index + 2) : 0), 0);

export function meanOf(judged: readonly Judged[]): { recall: number; ndcg: number } {
  const mean = (read: (each: Judged) => number) =>
    judged.reduce((sum, each) => sum + read(each), 0) / Math.max(1, judged.length);
  return { recall: mean(({ recall }) => recall), ndcg: mean(({ ndcg }) => ndcg) };
}
