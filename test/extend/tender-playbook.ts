/** A playbook: what a model shall do with an invitation to tender, and what is shown where there is no model. */
import { definePlaybook } from "../../src/analysis/playbook.ts";

export const TENDER = definePlaybook(
  "tender-summary",
  "Tender summary",
  "Say who invites tenders for what, until when, and which papers an offer needs.",
  ["parties", "dates", "amounts"],
);
