/**
 * Fits the extractor on the folds of a corpus and writes the result as data: the label model, the trade model and the
 * confidence models. `postroom extract --report` measures such fits on folds that they have not seen.
 *
 *   node --import tsx bench/fit/main.ts [--corpus ../shared/corpus/corpus.jsonl] [--dry]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fitLabels } from "../../src/evaluate/fit/fit-labels.ts";
import { fitWeighing } from "../../src/evaluate/fit/fit-weighing.ts";
import { readUnseen } from "../../src/evaluate/folds.ts";
import { readCorpus } from "../../src/evaluate/truth/corpus.ts";
import { changesOf } from "./changes.ts";
import { confidenceFile, labelFile, tradeFile } from "./write.ts";

const SOURCES = join(import.meta.dirname, "../../src/extract");

const { values } = parseArgs({
  options: {
    corpus: {
      type: "string",
      default: join(import.meta.dirname, "../../../shared/corpus/corpus.jsonl"),
    },
    dry: { type: "boolean", default: false },
  },
});

const rows = readCorpus(values.corpus);
const { read } = readUnseen(rows);
const { weighing, report, found } = fitWeighing(read);
console.log([...report, ...changesOf(read, weighing)].join("\n"));
if (!values.dry) {
  writeFileSync(join(SOURCES, "values/label-weights.ts"), labelFile(fitLabels(rows)));
  writeFileSync(join(SOURCES, "judgement/trade-weights.ts"), tradeFile(weighing.trade));
  writeFileSync(join(SOURCES, "judgement/confidence-weights.ts"), confidenceFile(weighing, found));
}
