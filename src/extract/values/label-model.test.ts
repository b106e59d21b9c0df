import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { linesOf } from "../layout/lines.ts";
import { activeLabelModel, numberFeatures, ROLES, rolesOf } from "./label-model.ts";

/** The likeliest role of the first number, ignoring the role "none". */
function roleOf(text: string): string {
  const line = linesOf({ pages: [], text })[0]!;
  const said = rolesOf(activeLabelModel(), numberFeatures(line, line.numbers[0]!, null, null));
  const named = [...said].slice(0, -1);
  return ROLES[named.indexOf(Math.max(...named))]!;
}

describe("the model of labels", () => {
  it("recognises labels that no lexicon lists by their parts", () => {
    assert.equal(roleOf("Handelsabrechnungskurs 12,50"), "price");
    assert.equal(roleOf("Endabrechnungsbetrag EUR 1.250,00"), "net");
    assert.equal(roleOf("Sonderabwicklungsgebühr EUR 4,95"), "fee");
  });

  it("gives probabilities, the same ones for the same line", () => {
    const line = linesOf({ pages: [], text: "Provision EUR 9,90" })[0]!;
    const features = numberFeatures(line, line.numbers[0]!, "EUR", null);
    const said = rolesOf(activeLabelModel(), features);
    assert.ok(Math.abs(said.reduce((sum, value) => sum + value, 0) - 1) < 1e-9);
    assert.deepEqual(said, rolesOf(activeLabelModel(), features));
  });
});
