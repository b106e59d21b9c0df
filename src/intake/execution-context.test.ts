import { describe, expect, it } from "vitest";
import { readExecutionContext } from "./execution-context.ts";

const TARGET = { key: "Target", value: { Attributes: [{ key: "subject", value: "Fee note" }] } };

function factsOf(more: object) {
  const body = {
    PrimaryEntityId: "58dd5db4-8043-4676-9d3c-0123456789ab",
    PrimaryEntityName: "email",
    ...more,
  };
  return (readExecutionContext(JSON.stringify(body)) as { facts: object }).facts;
}

describe("what the body of a webhook says about a mail", () => {
  it("is everything on a creation: columns that are absent are empty", () => {
    expect(factsOf({ MessageName: "Create", InputParameters: [TARGET] })).toEqual({
      subject: ["Fee note"],
      from: [],
      to: [],
      body: [],
      regardingtype: [],
    });
  });

  it("is only what it names on an update, so that no rule takes an absent column for an empty one", () => {
    expect(factsOf({ MessageName: "Update", InputParameters: [TARGET] })).toEqual({
      subject: ["Fee note"],
    });
  });

  it("is the row that was written, whatever stands before it", () => {
    const other = { key: "Parent", value: { Attributes: [{ key: "subject", value: "Another" }] } };
    expect(factsOf({ MessageName: "Update", InputParameters: [other, TARGET] })).toEqual({
      subject: ["Fee note"],
    });
  });

  it("is nothing if a creation comes without the row that was created", () => {
    expect(factsOf({ MessageName: "Create" })).toEqual({});
    const empty = { key: "Target", value: { Attributes: "none" } };
    expect(factsOf({ MessageName: "Create", InputParameters: [empty] })).toEqual({});
  });
});
