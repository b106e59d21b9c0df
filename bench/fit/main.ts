/**
 * Fits the extractor's weights on the families of a corpus that may be looked at and writes them as data.
 * Every figure it prints is of families left out of the fit that judged them.
 *
 *   node --import tsx bench/fit/main.ts --corpus ../shared/corpus/dev.jsonl [--dry] [--wrong 20]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { workedOnRows } from "./corpus.ts";
import { fitConfidence } from "./fit-confidence.ts";
import { fitTrade } from "./fit-trade.ts";
import { logit } from "./logistic.ts";
import { fitRows, readRows } from "./rows.ts";
import { confidenceFile, tradeFile } from "./write.ts";

const SOURCES = join(import.meta.dirname, "../../src/extract/judgement");

const { values } = parseArgs({
  options: {
    corpus: {
      type: "string",
      default: join(import.meta.dirname, "../../../shared/corpus/dev.jsonl"),
    },
    dry: { type: "boolean", default: false },
    wrong: { type: "string", default: "0" },
  },
});

const read = readRows(workedOnRows(values.corpus));
const trade = fitTrade(read.flatMap((one) => fitRows(one, () => true)));
const kept = read.flatMap((one) =>
  fitRows(one, ({ features }) => logit(trade.fitted, features) > trade.threshold),
);
const confidence = fitConfidence(kept, Number(values.wrong));
console.log([...trade.report, ...confidence.report].join("\n"));
if (!values.dry) {
  writeFileSync(join(SOURCES, "trade-weights.ts"), tradeFile(trade.fitted));
  writeFileSync(join(SOURCES, "confidence-weights.ts"), confidenceFile(confidence.fitted));
}
