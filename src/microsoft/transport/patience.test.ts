import { expect, it } from "vitest";
import { retryAfterMs } from "./patience.ts";

it("Retry-After is read as seconds or as a date, and ignored when it is neither", () => {
  expect(retryAfterMs("2", 0)).toBe(2_000);
  expect(retryAfterMs("Thu, 01 Jan 1970 00:00:05 GMT", 1_000)).toBe(4_000);
  expect(retryAfterMs("soon", 0)).toBeUndefined();
  expect(retryAfterMs(undefined, 0)).toBeUndefined();
});
