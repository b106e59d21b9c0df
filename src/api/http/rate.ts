import type { Clock } from "../../lib/clock.ts";
import { tooMany } from "./problem.ts";

const PEOPLE_MAX = 10_000;

/** Throws 429 if a person does this more often in a minute, in this process. */
export function createRate(clock: Clock, perMinute: number): (personId: string) => void {
  const recent = new Map<string, number[]>();
  return (personId) => {
    const from = clock.now() - 60_000;
    const times = (recent.get(personId) ?? []).filter((time) => time > from);
    if (times.length >= perMinute) throw tooMany(`at most ${perMinute} of these in a minute`);
    recent.set(personId, [...times, clock.now()]);
    if (recent.size > PEOPLE_MAX) recent.delete(recent.keys().next().value!);
  };
}
