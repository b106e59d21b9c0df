import { expect, it } from "vitest";
import { createRandom } from "./random.ts";

it("the same seed draws the same values, another seed different ones", () => {
  const draw = (seed: string) => Array.from({ length: 20 }, createRandom(seed).next);
  expect(draw("a")).toEqual(draw("a"));
  expect(draw("a")).not.toEqual(draw("b"));
});

it("a fork does not affect its parent or its siblings", () => {
  const plain = createRandom("seed");
  const forked = createRandom("seed");
  forked.fork("one").bytes(100);
  expect(forked.next()).toBe(plain.next());
  expect(forked.fork("two").uuid()).toBe(plain.fork("two").uuid());
});

it("draws spread evenly, and a hundred thousand forks repeat no id", () => {
  const random = createRandom("spread");
  const tenths = new Array<number>(10).fill(0);
  for (let turn = 0; turn < 100_000; turn++) tenths[random.below(10)]! += 1;
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  const ids = new Set(
    Array.from({ length: 100_000 }, (_, index) => random.fork(String(index)).uuid()),
  );
  expect(ids.size).toBe(100_000);
});

it("reseeding reaches every fork, those made before and after", () => {
  const random = createRandom("seed");
  const fork = random.fork("ids");
  const before = fork.uuid();
  random.reseed("again");
  const after = fork.uuid();
  expect(after).not.toBe(before);
  const other = createRandom("seed");
  other.reseed("again");
  expect(other.fork("ids").uuid()).toBe(after);
});
