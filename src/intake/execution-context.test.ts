import { describe, expect, it } from "vitest";
import { readExecutionContext } from "./execution-context.ts";

const MAIL = {
  PrimaryEntityId: "58dd5db4-8043-4676-9d3c-0123456789ab",
  PrimaryEntityName: "email",
};

const TARGET = { key: "Target", value: { Attributes: [{ key: "subject", value: "Fee note" }] } };

function factsOf(more: object) {
  return (readExecutionContext(JSON.stringify({ ...MAIL, ...more })) as { facts: object }).facts;
}

describe("a body", () => {
  it.each([
    ["no JSON", "{", "the body is not JSON"],
    ["a list", "[]", "the body is not an execution context"],
    ["no id", '{"PrimaryEntityName":"email"}', "PrimaryEntityId is missing or not a GUID"],
    ["an id that is no GUID", { PrimaryEntityId: "x" }, "PrimaryEntityId is missing"],
    ["nobody's id", { PrimaryEntityId: "00000000-0000-0000-0000-000000000000" }, "is missing"],
    ["another table", { PrimaryEntityName: "account" }, "only email is accepted"],
    ["no table", { PrimaryEntityName: undefined }, "only email is accepted"],
    ["a name of 101 letters", { MessageName: "x".repeat(101) }, "is not an execution context"],
    ["an id of 101 letters", { CorrelationId: "x".repeat(101) }, "is not an execution context"],
  ])("with %s is refused [MAIL2DOC-03]", (_, body, problem) => {
    const text = typeof body === "string" ? body : JSON.stringify({ ...MAIL, ...body });
    expect(readExecutionContext(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("with names of a hundred letters is read", () => {
    const names = { MessageName: "x".repeat(100), CorrelationId: "y".repeat(100) };
    expect(readExecutionContext(JSON.stringify({ ...MAIL, ...names }))).toMatchObject({
      messageName: names.MessageName,
      correlationId: names.CorrelationId,
    });
  });
});

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
