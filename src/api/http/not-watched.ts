import { notFound, type ProblemError } from "./problem.ts";

/** Somebody else's mailbox looks identical to one that is not watched. */
export const notWatched = (address: string): ProblemError =>
  notFound(`${address} is not watched; postroom mailbox list shows those that are`);
