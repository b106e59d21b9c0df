/** Controls the local tenant through its admin API, for the page of the console that does so. */
import type { MessageDraft } from "../../../tenant/graph/mailbox/mail-model.ts";
import type { TenantFault, TenantState, TenantSteering } from "../../api/console/tenant-routes.ts";
import { badRequest, conflict, notFound, type ProblemError } from "../../api/http/problem.ts";
import type { Http } from "../../lib/http.ts";
import { systemRandom } from "../../lib/random.ts";
import { PLAYS, type Stage } from "./tenant-plays.ts";

/** Kinds that say something on a screen; the others are for tests of clients. */
const FAULT_KINDS = [
  "throttle",
  "server-error",
  "timeout",
  "reset",
  "slow",
  "html",
  "expire-delta",
  "drop-notification",
  "duplicate-notification",
  "late-notification",
  "reorder-notifications",
  "interaction-required",
  "service-protection",
];

export function createTenantSteering(http: Http, admin: string): TenantSteering {
  const call = async <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
    const answer = await http({
      method,
      url: `${admin}${path}`,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = answer.body.toString("utf8");
    const json: unknown = text === "" ? null : JSON.parse(text);
    if (answer.status < 400) return json as T;
    throw refusalOf(answer.status, json);
  };
  const steering: Stage = {
    faultKinds: FAULT_KINDS,
    scenarios: PLAYS,
    state: async () => {
      const [clock, mailboxes, faults] = await Promise.all([
        call<TenantState["clock"]>("GET", "/clock"),
        call<{ value: { userPrincipalName: string }[] }>("GET", "/mailboxes"),
        call<{ value: TenantFault[] }>("GET", "/faults"),
      ]);
      const addresses = mailboxes.value.map(({ userPrincipalName }) => userPrincipalName);
      return { clock, mailboxes: addresses, faults: faults.value };
    },
    send: async ({ isNote = false, ...mail }) => {
      const { to, auth } = mail;
      return call("POST", "/mail", isNote ? { ...(await anyNote()), to, auth } : mail);
    },
    sendNote: async ({ note, fileName, isReprint = false, ...mail }) => {
      const { noteMail } = await import("../../../tenant/content/company-notes.ts");
      const { draft } = await noteMail(note);
      const [file] = draft.attachments!;
      const bytes = Buffer.concat([file!.bytes!, Buffer.from(isReprint ? "\n% again\n" : "")]);
      const attachments = [{ ...file!, name: fileName ?? file!.name, bytes }];
      return call("POST", "/mail", { ...toBody({ ...draft, attachments }), ...mail });
    },
    arm: (fault) => call("POST", "/faults", fault),
    clear: async (id) => {
      await call("DELETE", id === null ? "/faults" : `/faults/${encodeURIComponent(id)}`);
    },
    advance: (by) => call("POST", "/clock/advance", { by }),
    play: (name) => PLAYS.find((each) => each.name === name)!.play(steering),
  };
  return steering;
}

/** A note like those that arrive by themselves, but another one each time. */
async function anyNote(): Promise<object> {
  const { sampleMail } = await import("../../../tenant/index.ts");
  return toBody((await sampleMail(systemRandom.uuid(), 0)).draft);
}

function toBody({ from, subject, body, attachments = [] }: MessageDraft): object {
  return {
    subject,
    ...(from === undefined ? {} : { from: typeof from === "string" ? from : from.address }),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : body.content }),
    attachments: attachments.map(({ name, contentType, bytes }) => ({
      name,
      contentType,
      contentBytes: Buffer.from(bytes!).toString("base64"),
    })),
  };
}

/** The tenant says what is wrong in a sentence. */
function refusalOf(status: number, value: unknown): ProblemError {
  const { message } = (value as { error?: { message?: string } } | null)?.error ?? {};
  const detail = message ?? `the tenant answered ${status}`;
  if (status === 404) return notFound(detail);
  if (status === 409) return conflict(detail);
  return badRequest(detail);
}
