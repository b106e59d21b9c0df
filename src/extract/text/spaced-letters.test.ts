import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { joinSpacedLetters } from "./spaced-letters.ts";

describe("letter-spaced print", () => {
  it("letter-spaced lines are joined and split into the lexicon's words", () => {
    assert.equal(
      joinSpacedLetters("K u r s w e r t : E U R 1 9 . 8 5 2 , 0 0"),
      "Kurswert : EUR 19.852,00",
    );
    assert.equal(
      joinSpacedLetters("Z u Ih r e n G u n s t e n n a c h S t e u er n"),
      "Zu Ihren Gunsten nach Steuern",
    );
    assert.equal(joinSpacedLetters("Kurswert EUR 19.852,00"), null);
  });

  it("a code that is printed whole stays whole beside a spaced name", () => {
    assert.match(joinSpacedLetters("Titel: US0378331005  E X A M P L E  I NC.")!, / US0378331005 /);
  });
});
