import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fold } from "./fold.ts";
import { lexicon } from "./index.ts";
import { matchPhrases, splitWords } from "./matcher.ts";

describe("lexicon", () => {
  const concepts = (text: string) => {
    const folded = fold(text);
    return matchPhrases(lexicon.labels, folded, splitWords(folded)).map(
      (match) => match.value[0]!.concept,
    );
  };

  it("the longest phrase wins, and compounds are recognised by their last part", () => {
    assert.deepEqual(concepts("Zu Ihren Gunsten vor Steuern"), ["subtotal"]);
    assert.deepEqual(concepts("Handelsplatzgebühr"), ["fee"]);
    assert.deepEqual(concepts("Steuerbemessungsgrundlage"), ["noise"]);
  });

  it("a concept is recognised in every language of the lexicon", () => {
    for (const word of [
      "Kurtage",
      "Courtage",
      "Commission",
      "Commissioni",
      "Comisión",
      "Makelaarsloon",
      "Comissão",
      "Palkkio",
      "Prowizja",
      "Poplatek",
      "Kurtasje",
    ]) {
      assert.deepEqual(concepts(word), ["fee"], word);
    }
  });
});
