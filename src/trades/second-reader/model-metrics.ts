import { Counter, type Registry } from "prom-client";
import type { SecondReaderNeeds } from "./second-reader.ts";

/** Metrics about the model as second reader: questions, results and cost. */
export function createModelMetrics(registry: Registry): SecondReaderNeeds["observe"] {
  const registers = [registry];
  const asked = new Counter({
    name: "postroom_model_questions_total",
    help: "Documents that a model was asked about, by whether it agreed with the rules, differed or failed",
    labelNames: ["outcome"],
    registers,
  });
  const tokens = new Counter({
    name: "postroom_model_tokens_total",
    help: "Tokens that the model counted, by direction",
    labelNames: ["kind"],
    registers,
  });
  return (outcome, { prompt, completion }) => {
    asked.inc({ outcome });
    tokens.inc({ kind: "prompt" }, prompt);
    tokens.inc({ kind: "completion" }, completion);
  };
}
