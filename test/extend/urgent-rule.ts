/** A mail rule: what a row of `sprk_emailprocessingrule` says, here for mail of one law firm. */
import type { MailRule } from "../../src/filing/rules/mail-rules.ts";

export const OF_COUNSEL: MailRule = {
  name: "Mail of counsel goes to the matter",
  type: "Route",
  priority: 10,
  field: "from",
  pattern: String.raw`@law\.example$`,
  route: { parent: "sprk_matter:3f2a61b0-0000-4000-8000-000000000001" },
};
