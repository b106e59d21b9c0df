import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { findDrift } from "./find-drift.ts";

const row = (
  period: string,
  documents: number,
  yielded: number,
  sender = "notes@broker.example",
) => ({ sender, period, documents, yielded });

describe("the alarm for changed layouts", () => {
  it("rings when a sender's documents stop yielding trades", () => {
    const alarms = findDrift([
      row("2026-08", 40, 39),
      row("2026-09", 42, 42),
      row("2026-10", 12, 2),
    ]);
    assert.deepEqual(
      alarms.map((alarm) => [alarm.sender, alarm.period, alarm.documents]),
      [["notes@broker.example", "2026-10", 12]],
    );
  });

  it("is silent about the variation of small numbers, on the first period and on senders that never yielded", () => {
    assert.deepEqual(findDrift([row("2026-08", 40, 30), row("2026-09", 10, 6)]), []);
    assert.deepEqual(findDrift([row("2026-08", 40, 0)]), []);
    assert.deepEqual(findDrift([row("2026-08", 40, 0), row("2026-09", 40, 0)]), []);
    assert.deepEqual(findDrift([row("2026-08", 40, 40), row("2026-09", 3, 0)]), []);
  });

  it("rings even if a new period has only just begun", () => {
    const alarms = findDrift([row("2026-08", 40, 39), row("2026-09", 12, 2), row("2026-10", 1, 0)]);
    assert.deepEqual(
      alarms.map((alarm) => [alarm.period, alarm.documents]),
      [["2026-09", 13]],
    );
  });

  it("judges each sender separately, the deepest fall first, regardless of the order of rows", () => {
    const rows = [
      row("2026-10", 20, 10, "b"),
      row("2026-09", 50, 48, "b"),
      row("2026-10", 20, 0, "a"),
      row("2026-09", 50, 50, "a"),
    ];
    assert.deepEqual(
      findDrift(rows).map((alarm) => alarm.sender),
      ["a", "b"],
    );
    assert.deepEqual(findDrift(rows.toReversed()), findDrift(rows));
  });
});
