import { expect, it } from "vitest";
import { createRealClock, createVirtualClock } from "./clock.ts";

it("a virtual clock runs due timers in order of time, then of creation, and awaits each", async () => {
  const clock = createVirtualClock(1000);
  const seen: string[] = [];
  const note = (name: string) => async () => {
    await Promise.resolve();
    seen.push(`${name}@${clock.now()}`);
  };
  clock.after(300, note("late"));
  clock.after(100, note("first"));
  clock.after(100, note("second"));
  clock.after(200, async () => {
    clock.after(50, note("armed on the way"));
  });
  const cancel = clock.after(150, note("cancelled"));
  cancel();
  await clock.advance(250);
  expect(seen).toEqual(["first@1100", "second@1100", "armed on the way@1250"]);
  expect(clock.now()).toBe(1250);
  await clock.advance(1000);
  expect(seen.at(-1)).toBe("late@1300");
});

it("a stopped clock runs nothing more", async () => {
  const clock = createVirtualClock(0);
  clock.after(10, () => expect.unreachable());
  clock.stop();
  await clock.advance(100);
});

it("a real clock cannot be advanced", async () => {
  const clock = createRealClock();
  await expect(clock.advance(1)).rejects.toThrow("virtual");
  clock.stop();
});

it("many timers run in the order of their times, whatever order they were armed in", async () => {
  const clock = createVirtualClock(0);
  const seen: number[] = [];
  const cancels: (() => void)[] = [];
  for (let index = 0; index < 5000; index++) {
    const dueMs = (index * 7919) % 5000;
    cancels[dueMs] = clock.after(dueMs, () => void seen.push(dueMs));
  }
  for (let dueMs = 0; dueMs < 5000; dueMs += 2) cancels[dueMs]!();
  await clock.advance(5000);
  expect(seen).toEqual(Array.from({ length: 2500 }, (_, index) => 2 * index + 1));
});
