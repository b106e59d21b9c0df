/** The channels through which people hear of alerts and questions. */
import * as z from "zod";
import { Secret } from "../lib/redact.ts";

const addresses = z
  .string()
  .transform((list) => list.split(",").map((each) => each.trim()))
  .pipe(z.array(z.email("must be addresses, separated by commas")).min(1));

export const NOTIFY = {
  NOTIFY_MAIL_TO: addresses.optional(),
  NOTIFY_MAIL_FROM: z.email().optional(),
  NOTIFY_TEAMS_URL: z.string().min(1, "must not be empty").optional(),
  NOTIFY_SLACK_URL: z.string().min(1, "must not be empty").optional(),
  NOTIFY_QUESTIONS: z
    .enum(["true", "false", "1", "0"])
    .transform((value) => value === "true" || value === "1")
    .default(true),
};

export interface NotifySettings {
  readonly mail: { readonly from: string; readonly to: readonly string[] } | null;
  readonly teamsUrl: Secret | null;
  readonly slackUrl: Secret | null;
  /** Whether people are told about new questions, too. */
  readonly tellsQuestions: boolean;
}

/** Null if no channel is set up. */
export function readNotify(settings: z.output<z.ZodObject<typeof NOTIFY>>): NotifySettings | null {
  const { NOTIFY_MAIL_TO: to, NOTIFY_MAIL_FROM: from } = settings;
  const { NOTIFY_TEAMS_URL: teams, NOTIFY_SLACK_URL: slack } = settings;
  const mail = to === undefined || from === undefined ? null : { from, to };
  if (mail === null && teams === undefined && slack === undefined) return null;
  const secret = (text: string | undefined) => (text === undefined ? null : new Secret(text));
  const tellsQuestions = settings.NOTIFY_QUESTIONS;
  return { mail, teamsUrl: secret(teams), slackUrl: secret(slack), tellsQuestions };
}
