import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createIntakeMetrics } from "./intake-metrics.ts";
import { createSlowShare, describeShare } from "./slow-share.ts";

it("the share of answers above ten seconds is that of the last ten minutes [WEB-23]", () => {
  let nowMs = Date.parse("2026-02-17T10:00:00Z");
  const slow = createSlowShare({ now: () => nowMs } as Clock);
  expect(slow.share()).toBe(0);
  for (let n = 0; n < 9; n++) slow.note(0.2);
  slow.note(10.5);
  slow.note(10);
  expect(slow.share()).toBeCloseTo(1 / 11);
  nowMs += 9 * 60_000;
  slow.note(11);
  expect(slow.share()).toBeCloseTo(2 / 12);
  nowMs += 60_000;
  expect(slow.share()).toBe(1);
  nowMs += 10 * 60_000;
  expect(slow.share()).toBe(0);
});

it("every answer counts in the share, whatever its status, and the share is a metric [WEB-23]", async () => {
  const registry = new Registry();
  const metrics = createIntakeMetrics(registry, systemClock);
  metrics.answered(202, 0.1);
  metrics.answered(503, 10.5);
  expect(metrics.slowShare()).toBe(0.5);
  expect(await registry.metrics()).toContain("postroom_intake_slow_share 0.5\n");
});

it("a share above a tenth is a warning, before Graph drops notifications [WEB-23]", () => {
  expect(describeShare(0.1)).not.toContain("warning");
  expect(describeShare(0.101)).toMatch(
    /^warning: 10\.1 % .* above 15 % Graph drops notifications$/,
  );
});
