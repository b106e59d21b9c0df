/** One possible trade of a block, with all evidence for and against it. */
import type { Assignment } from "../arithmetic/solve.ts";
import type { Fact } from "../blocks/fact.ts";
import type { DirectionVote } from "../values/direction.ts";
import type { SecurityFound } from "../values/security-code.ts";
import type { ChosenDays } from "./day.ts";

export interface Candidate {
  from: number;
  to: number;
  fact: Fact | null;
  assignment: Assignment;
  /** The other assignments, best first. */
  others: Assignment[];
  days: ChosenDays;
  direction: "BUY" | "SELL";
  words: DirectionVote;
  buy: number;
  sell: number;
  security: SecurityFound;
  fees: number;
  taxes: number;
  currency: string | null;
  features: Features;
}

export type Features = Record<string, number>;
