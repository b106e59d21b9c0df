import type * as z from "zod";
import { badRequest } from "./problem.ts";

/** What a request carries, checked by its schema; otherwise 400 with every problem named. */
export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw badRequest(problems.join("; "));
}
