import * as fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../lib/canonical-json.ts";
import { parseEnvelope } from "./envelope.ts";
import { toStoredKey } from "./job-keys.ts";

const good = {
  jobId: "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60",
  jobType: "t",
  subjectId: "s",
  correlationId: "c",
  idempotencyKey: "k",
  attempt: 1,
  maxAttempts: 3,
  payload: { n: 1 },
  createdAt: "2026-01-05T08:00:00Z",
};

it("an envelope without attempts counts as the first of three [JOB-01]", () => {
  const { attempt: _a, maxAttempts: _m, ...short } = good;
  expect(parseEnvelope(JSON.stringify(short))).toEqual({ job: good });
});

it("no message makes the parser throw [JOB-25]", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((text) => text.slice(1)),
      ),
      (body) => {
        expect(parseEnvelope(body)).toHaveProperty("problem");
      },
    ),
    { numRuns: 500 },
  );
});

it("a message of the add-in's first system is read without what it says about its user [JOB-25]", () => {
  const { payload, ...rest } = good;
  const capital = Object.entries(rest).map(([name, value]) => [
    name[0]!.toUpperCase() + name.slice(1),
    value,
  ]);
  const message = { ...Object.fromEntries(capital), UserId: "u", Payload: JSON.stringify(payload) };
  expect(parseEnvelope(JSON.stringify(message))).toEqual({ job: good });
  expect(parseEnvelope('{"JobId":1,"":2}')).toHaveProperty("problem");
});

it("an envelope with one damaged field is either refused or read completely [JOB-25]", () => {
  const fields = fc.constantFrom(...(Object.keys(good) as (keyof typeof good)[]));
  fc.assert(
    fc.property(fields, fc.jsonValue(), (field, value) => {
      const parsed = parseEnvelope(JSON.stringify({ ...good, [field]: value }));
      if ("job" in parsed) expect(Object.keys(parsed.job).sort()).toEqual(Object.keys(good).sort());
      else expect(parsed.problem).not.toBe("");
    }),
    { numRuns: 500 },
  );
});

it("the order of properties does not change a request", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(value));
    }),
  );
});

it("equal keys stay equal, different keys stay different, and all fit the index", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 1_200, unit: "binary" }), fc.string(), (key, more) => {
      expect(Buffer.byteLength(toStoredKey(key))).toBeLessThanOrEqual(1_000);
      expect(toStoredKey(key)).toBe(toStoredKey(key));
      const other = `${key}${more}x`;
      expect(toStoredKey(other)).not.toBe(toStoredKey(key));
    }),
    { numRuns: 50 },
  );
  expect(toStoredKey("email-<m1@x>")).toBe("email-<m1@x>");
});
