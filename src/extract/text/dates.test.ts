import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fold } from "../lexicon/fold.ts";
import { scanDates, scanTimes } from "./dates.ts";

describe("days and times", () => {
  const day = (text: string) => scanDates(fold(text))[0]?.iso;

  it("dates in every common order and language are read", () => {
    assert.equal(day("5. März 2024"), "2024-03-05");
    assert.equal(day("05-Dez-2024"), "2024-12-05");
    assert.equal(day("Jul 11, 2024"), "2024-07-11");
    assert.equal(day("le 4 juillet 2023"), "2023-07-04");
    assert.equal(day("5 de enero de 2020"), "2020-01-05");
    assert.equal(day("2024-06-05"), "2024-06-05");
    assert.equal(day("1.2.2020"), "2020-02-01");
  });

  it("a date whose day and month may be swapped keeps both readings", () => {
    assert.deepEqual(scanDates("04/05/2024")[0], {
      start: 0,
      end: 10,
      iso: "2024-05-04",
      alternative: "2024-04-05",
    });
  });

  it("the decimals of an amount are not a date", () => {
    assert.equal(day("-173.19 Jul 17, 2024"), "2024-07-17");
  });

  it("times are read with AM and PM", () => {
    assert.equal(scanTimes("03:45:50 pm", [])[0]!.value, "15:45:50");
    assert.equal(scanTimes("16.28.03", [])[0]!.value, "16:28:03");
  });
});
