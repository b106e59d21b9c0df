import { describe, expect, it } from "vitest";
import * as z from "zod";
import { sayIssuesPlainly } from "./issue-words.ts";

sayIssuesPlainly();

const moment = z.iso.datetime({ offset: true }).or(z.iso.date());

describe("what is wrong with a value", () => {
  it.each<[words: string, schema: z.ZodType, value: unknown]>([
    ["is missing", z.string(), undefined],
    ["must be a text", z.string(), 5],
    ["must be a number", z.number(), "many"],
    ["must be a whole number", z.int(), 1.5],
    ["must be true or false", z.boolean(), "yes"],
    ["must be a list", z.array(z.string()), "a"],
    ["must be an object", z.object({}), "a"],
    ["must be one of open, decided", z.enum(["open", "decided"]), "closed"],
    ["must be all", z.literal("all"), "none"],
    ["must not be empty", z.string().min(1), ""],
    ["must have at least 3 characters", z.string().min(3), "ab"],
    ["must have at most 1 character", z.string().max(1), "ab"],
    ["must have at least 2 items", z.array(z.string()).min(2), ["a"]],
    ["must be at least 1", z.number().min(1), 0],
    ["must be over 0", z.number().positive(), 0],
    ["must be at most 200", z.number().max(200), 201],
    ["must be an address such as ada@broker.example", z.email(), "ada"],
    ["must be an ID such as 3f2a61b0-8c1d-4e55-9a10-5f2c3d4e5f60", z.guid(), "5"],
    ["must be a date such as 2026-01-31", z.iso.date(), "31.1.2026"],
    ["has unknown property colour", z.strictObject({}), { colour: "red" }],
    ["has unknown properties colour, size", z.strictObject({}), { colour: "red", size: 5 }],
    [
      "must be a time with its zone, such as 2026-01-31T09:30:00Z, or must be a date such as 2026-01-31",
      moment,
      "yesterday",
    ],
    ["has none of the accepted forms", z.object({ a: z.int() }).or(z.object({ b: z.int() })), {}],
  ])("%s", (words, schema, value) => {
    expect(schema.safeParse(value).error!.issues.map(({ message }) => message)).toEqual([words]);
  });

  it("is said in the schema's own words if it has some", () => {
    const schema = z.string().min(1, "give a reason");
    expect(schema.safeParse("").error!.issues[0]!.message).toBe("give a reason");
  });
});
