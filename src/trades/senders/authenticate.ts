/**
 * Decides whether a message really comes from its sender. Only what our own Exchange wrote counts: its mark for mail
 * inside the organization, and the topmost Authentication-Results, which it writes without an authserv-id and with
 * the receiving domain between the methods ("Anti-spam message headers", learn.microsoft.com).
 */
import type { SenderEvidence } from "../../ingestion/sender-evidence.ts";
import { domainOf, normalizeAddress } from "./sender.ts";

export type Authentication =
  /** Exchange knows the sender as somebody of the organization. */
  | { readonly kind: "internal" }
  /** Exchange verified the domain of a sender from outside. */
  | { readonly kind: "verified" }
  /** The program or person that put the file here vouches for it. */
  | { readonly kind: "vouched" }
  | { readonly kind: "none"; readonly why: string };

type MailEvidence = SenderEvidence & { readonly kind: "mail" };

export function authenticate(senderEmail: string, evidence: SenderEvidence | null): Authentication {
  if (evidence === null) return none("nothing is known about how it was sent");
  if (evidence.kind !== "mail") return { kind: "vouched" };
  if (isInternal(evidence)) return judgeInternal(senderEmail, evidence);
  if (evidence.authenticationResults === null) return none("Exchange wrote no verdict");
  const why = objectionTo(evidence.authenticationResults, domainOf(senderEmail));
  return why === null ? { kind: "verified" } : none(why);
}

/** Exchange removes this mark at the border; two different ones prove nothing. */
function isInternal({ authAs }: MailEvidence): boolean {
  return authAs.length > 0 && authAs.every((value) => value.trim().toLowerCase() === "internal");
}

/** Exchange writes a verdict only about mail from outside: if there is one and it failed, the sender may have forged the mark. */
function judgeInternal(
  senderEmail: string,
  { sender, authenticationResults }: MailEvidence,
): Authentication {
  if (sender !== null && normalizeAddress(sender) !== normalizeAddress(senderEmail))
    return none(`${sender} sent it on behalf of ${senderEmail}`);
  const denied = denialIn(authenticationResults);
  return denied === null
    ? { kind: "internal" }
    : none(`it is marked as internal, but Exchange's verdict is ${denied}`);
}

/** The part of the verdict that did not pass; null if there is none. */
function denialIn(results: string | null): string | null {
  const denied = (results === null ? [] : (readResults(results) ?? [])).find(
    ({ name, result }) =>
      (name === "compauth" && result !== "pass") || (name === "dmarc" && result === "fail"),
  );
  return denied === undefined ? null : `${denied.name}=${denied.result}`;
}

interface Method {
  readonly name: string;
  readonly result: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** Why the verdict does not prove that the domain sent the mail; null if it does. */
function objectionTo(results: string, domain: string): string | null {
  const methods = readResults(results);
  if (methods === null)
    return "the topmost Authentication-Results header was not written by Exchange";
  const compauth = only(methods, "compauth");
  const dmarc = only(methods, "dmarc");
  if (compauth === null || dmarc === null) return "the verdict is incomplete or contradicts itself";
  const reason = compauth.properties.get("reason") ?? "";
  if (compauth.result !== "pass") return `compauth=${compauth.result} reason=${reason}`;
  // 1xx is an explicit pass; all others rest on reputation or on an exception that somebody configured.
  if (!/^1\d\d$/.test(reason)) return `compauth=pass only with reason=${reason}`;
  if (dmarc.properties.get("header.from") !== domain) return `the verdict is not about ${domain}`;
  // 130: a forwarder that the tenant trusts vouches for it (ARC); forwarding breaks SPF and DKIM.
  if (reason === "130") return null;
  if (dmarc.result !== "pass" && dmarc.result !== "bestguesspass") return `dmarc=${dmarc.result}`;
  return methods.some((method) => isAligned(method, domain))
    ? null
    : `neither SPF nor DKIM passed for ${domain}`;
}

/** The property of a method that names the domain it passed for. */
const DOMAIN_PROPERTY: Readonly<Record<string, string>> = {
  spf: "smtp.mailfrom",
  dkim: "header.d",
};

function isAligned({ name, result, properties }: Method, domain: string): boolean {
  if (result !== "pass") return false;
  const proven = domainOf(properties.get(DOMAIN_PROPERTY[name] ?? "") ?? "");
  if (!proven.includes(".")) return false;
  return proven === domain || proven.endsWith(`.${domain}`) || domain.endsWith(`.${proven}`);
}

/** Null if the text begins with an authserv-id, as headers of other servers do, or if it is no list of methods. */
function readResults(text: string): Method[] | null {
  const bare = withoutComments(text);
  if (bare === null) return null;
  const parts = bare.split(";").map((part) => part.trim());
  if (!parts[0]!.includes("=")) return null;
  return parts.map(readMethod);
}

function readMethod(part: string): Method {
  const [first, ...others] = part.split(/\s+/).map((word) => {
    const at = word.indexOf("=");
    return at < 0
      ? ([word.toLowerCase(), ""] as const)
      : ([word.slice(0, at).toLowerCase(), word.slice(at + 1).toLowerCase()] as const);
  });
  return { name: first![0], result: first![1], properties: new Map(others) };
}

/** The one method of that name; null if there is none, or more than one. */
function only(methods: readonly Method[], name: string): Method | null {
  const found = methods.filter((method) => method.name === name);
  return found.length === 1 ? found[0]! : null;
}

/** Comments nest. Null if one is not closed: a sender's text may have opened it to hide what Exchange wrote after it. */
function withoutComments(text: string): string | null {
  let depth = 0;
  let rest = "";
  for (const letter of text) {
    if (letter === "(") depth += 1;
    else if (letter === ")" && depth > 0) depth -= 1;
    else if (depth === 0) rest += letter;
  }
  return depth === 0 ? rest : null;
}

const none = (why: string): Authentication => ({ kind: "none", why });
