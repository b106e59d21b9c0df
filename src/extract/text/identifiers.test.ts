import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { isCusip, isIsin, isSedol, isValor, isWkn } from "./identifiers.ts";

describe("identifiers", () => {
  it("an identifier needs a valid check digit and a length of 12, 7 or 9 [X-04]", () => {
    assert.equal(isIsin("US0378331005"), true);
    assert.equal(isIsin("US0378331006"), false);
    assert.equal(isIsin("US037833100"), false);
    assert.equal(isIsin("US03783310050"), false);
    assert.equal(isSedol("0263494"), true);
    assert.equal(isSedol("0263495"), false);
    assert.equal(isSedol("263494"), false);
    assert.equal(isSedol("02634940"), false);
    assert.equal(isCusip("037833100"), true);
    assert.equal(isCusip("037833101"), false);
    assert.equal(isCusip("03783310"), false);
    assert.equal(isCusip("0378331000"), false);
    assert.equal(isWkn("A1JX52"), true);
    assert.equal(isValor("1213853"), true);
  });
});
