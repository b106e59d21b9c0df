import { describe, expect, it } from "vitest";
import { parseDataverseDate } from "./wcf-date.ts";

describe("a time from Dataverse", () => {
  it.each([
    ["/Date(1234567890000)/", "2009-02-13T23:31:30.000Z"],
    ["/Date(-1000)/", "1969-12-31T23:59:59.000Z"],
    ["/Date(1506409448000-0700)/", "2017-09-26T07:04:08.000Z"],
    ["2009-02-13T23:31:30Z", "2009-02-13T23:31:30.000Z"],
    ["2009-02-13T23:31:30.5+01:00", "2009-02-13T22:31:30.500Z"],
  ])("%s is %s [MAIL2DOC-04]", (text, expected) => {
    expect(parseDataverseDate(text)?.toISOString()).toBe(expected);
  });

  it.each([
    "",
    null,
    undefined,
    5,
    "/Date()/",
    "/Date(99999999999999999)/",
    "yesterday",
    "/Date(1)/x",
  ])("%s is not a time [MAIL2DOC-04]", (text) => {
    expect(parseDataverseDate(text)).toBeNull();
  });
});
