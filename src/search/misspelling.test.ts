import { describe, expect, it } from "vitest";
import { errorsAllowed, errorsBetween } from "./misspelling.ts";

describe("errors between a word and a stem", () => {
  it.each([
    ["notice", "notic", 0],
    ["fleurirve", "fleurriv", 1],
    ["ntoice", "notic", 1],
    ["noice", "notic", 1],
    ["nottice", "notic", 1],
    ["norice", "notic", 1],
    ["mieter", "mietvertrag", Number.POSITIVE_INFINITY],
    ["bank", "band", 1],
    ["pay", "confidential", Number.POSITIVE_INFINITY],
    ["kündigungen", "kundigung", 1],
    ["mensuel", "men", Number.POSITIVE_INFINITY],
  ])("%s is %s with %d", (word, stem, errors) => {
    expect(errorsBetween(word, stem)).toBe(errors);
  });

  it("a swap counts once, and only beside each other", () => {
    expect(errorsBetween("abdc", "abcd")).toBe(1);
    expect(errorsBetween("dbca", "abcd")).toBeGreaterThan(1);
  });

  it("are not allowed in a stem so short that it is near to many words", () => {
    expect(errorsBetween("world", "work")).toBe(1);
    expect(errorsAllowed("world", "work")).toBe(0);
    expect(errorsAllowed("ntoice", "notic")).toBe(1);
    expect(errorsAllowed("fleurirve", "fleurriv")).toBe(2);
  });
});
