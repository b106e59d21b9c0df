import { expect, it } from "vitest";
import { createFaults } from "./faults.ts";
import { createRandom } from "./random.ts";

const create = (seed = "s") =>
  createFaults(
    createRandom(seed),
    () => {},
    (name) => (name === "ann@x.example" ? "id-1" : name),
  );

it("a fault fires where all its facts match, as many times as it was armed for", () => {
  const faults = create();
  faults.arm({ kind: "throttle", where: { part: "graph", path: "/v1.0/users*" }, remaining: 2 });
  const strike = (part: string, path: string) => faults.strike("throttle", { part, path }) !== null;
  expect(strike("entra", "/v1.0/users/1")).toBe(false);
  expect(strike("graph", "/v1.0/drives")).toBe(false);
  expect([1, 2, 3].map(() => strike("graph", "/v1.0/users/1"))).toEqual([true, true, false]);
});

it("a mailbox named by address is the mailbox of its user's id", () => {
  const faults = create();
  faults.arm({ kind: "slow", where: { mailbox: "ann@x.example" } });
  expect(faults.strike(["reset", "slow"], { mailbox: "id-1" })).not.toBeNull();
  expect(faults.strike("slow", { mailbox: "id-2" })).toBeNull();
});

it("the seed decides which requests a fault with a probability hits", () => {
  const strikes = (seed: string) => {
    const faults = create(seed);
    faults.arm({ kind: "reset", probability: 0.5 });
    return Array.from({ length: 40 }, () => faults.strike("reset", {}) !== null);
  };
  expect(strikes("a")).toEqual(strikes("a"));
  expect(strikes("a")).not.toEqual(strikes("b"));
  expect(strikes("a")).toContain(true);
  expect(strikes("a")).toContain(false);
});

it("faults can be disarmed one by one or together, and the ids of restored faults are not reused", () => {
  const faults = create();
  const first = faults.arm({ kind: "a" });
  faults.arm({ kind: "b" });
  faults.disarm(first.id);
  expect(faults.list().map((fault) => fault.kind)).toEqual(["b"]);
  const later = create();
  later.restore(faults.list());
  expect(later.arm({ kind: "c" }).id).not.toBe(faults.list()[0]!.id);
  faults.disarm();
  expect(faults.list()).toEqual([]);
});
