/** Says why a document of this sender may not be booked without a person. */
import type { TradeDocument } from "../../ingestion/document-table.ts";
import type { Trader } from "../order.ts";
import { type Authentication, authenticate } from "./authenticate.ts";
import { type ApprovedSender, domainOf, findApproval, normalizeAddress } from "./sender.ts";

export type SentDocument = Pick<TradeDocument, "senderEmail" | "foundIn" | "senderEvidence">;

export interface SenderToTrust {
  readonly document: SentDocument;
  readonly people: readonly Trader[];
  readonly approvals: readonly ApprovedSender[];
  /** Mail from these domains comes from our own people. */
  readonly firmDomains: readonly string[];
  /** YYYY-MM-DD */
  readonly today: string;
}

export interface SenderTrust {
  readonly isAuthenticated: boolean;
  /** True if the address may decide whose trade it is: also no rule or program sent it for one of our people. */
  readonly mayNameTrader: boolean;
  /** Why a person must look; empty if the sender is authenticated and approved. */
  readonly missing: readonly string[];
}

export const notApproved = (senderEmail: string): string => `sender not approved: ${senderEmail}`;

export function trustSender(sender: SenderToTrust): SenderTrust {
  const { senderEmail, foundIn } = sender.document;
  const authentication = authenticateSender(sender);
  const missing: string[] = [];
  if (authentication.kind === "none") {
    missing.push(`sender not authenticated: ${authentication.why}`);
  }
  const isKnown = isKnownPerson(sender);
  const isAutomatic = isKnown && isSentByProgram(sender.document);
  const isPerson = isKnown && !isAutomatic;
  if (isAutomatic && isListed(sender)) {
    // A person's rule forwards what strangers send them, so that approving the address approves strangers.
    missing.push(`${senderEmail} did not send it themselves: a rule or a program did`);
  } else if (!isPerson && !isUpload(sender.document) && !isApproved(sender)) {
    missing.push(notApproved(senderEmail));
  }
  // An automatic reply of an approved broker can carry a stranger's mail; a known person forwards mail on
  // purpose.
  if (foundIn === "attached mail" && !isPerson) {
    missing.push(`forwarded by ${senderEmail}, who is not a known person`);
  }
  const isAuthenticated = authentication.kind !== "none";
  return { isAuthenticated, mayNameTrader: isAuthenticated && !isAutomatic, missing };
}

const isApproved = ({ document, approvals, today }: SenderToTrust) =>
  findApproval(approvals, document.senderEmail, today) !== null;

/**
 * Exchange's mark says that somebody in the organization sent the mail; that must be one of our own people.
 */
function authenticateSender(sender: SenderToTrust): Authentication {
  const { senderEmail, senderEvidence } = sender.document;
  const authentication = authenticate(senderEmail, senderEvidence);
  return authentication.kind === "internal" && !isKnownPerson(sender)
    ? { kind: "none", why: `marked as internal, but ${senderEmail} is not one of our people` }
    : authentication;
}

/** Somebody whom we know by address, who writes from our own domains, or who signed in. */
function isKnownPerson(sender: SenderToTrust): boolean {
  const domain = domainOf(sender.document.senderEmail);
  return (
    isOwnUpload(sender.document) ||
    isListed(sender) ||
    sender.firmDomains.some((own) => domainOf(own) === domain)
  );
}

function isListed({ document, people }: SenderToTrust): boolean {
  const address = normalizeAddress(document.senderEmail);
  return people.some(({ email }) => email !== null && normalizeAddress(email) === address);
}

const isSentByProgram = ({ senderEvidence }: SentDocument) =>
  senderEvidence?.kind === "mail" && senderEvidence.isAutomatic === true;

const isUpload = ({ senderEvidence }: SentDocument) => senderEvidence?.kind === "upload";

export const isOwnUpload = ({ senderEvidence }: SentDocument): boolean =>
  senderEvidence?.kind === "upload" && senderEvidence.isOwn;
