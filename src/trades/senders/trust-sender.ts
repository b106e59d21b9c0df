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
  /** True if the address may decide whose trade it is. */
  readonly isAuthenticated: boolean;
  /** Why a person must look; empty if the sender is authenticated and approved. */
  readonly missing: readonly string[];
}

export const notApproved = (senderEmail: string): string => `sender not approved: ${senderEmail}`;

export function trustSender(sender: SenderToTrust): SenderTrust {
  const { senderEmail, foundIn } = sender.document;
  const isPerson = isKnownPerson(sender);
  const authentication = authenticateSender(sender, isPerson);
  const missing: string[] = [];
  if (authentication.kind === "none") {
    missing.push(`sender not authenticated: ${authentication.why}`);
  }
  const isApproved = isPerson || findApproval(sender.approvals, senderEmail, sender.today) !== null;
  if (!isApproved && !isUpload(sender.document)) {
    missing.push(notApproved(senderEmail));
  }
  // An automatic reply of an approved broker can carry a stranger's mail; a known person forwards mail on
  // purpose.
  if (foundIn === "attached mail" && !isPerson) {
    missing.push(`forwarded by ${senderEmail}, who is not a known person`);
  }
  return { isAuthenticated: authentication.kind !== "none", missing };
}

/**
 * Exchange's mark says that somebody in the organization sent the mail; that must be one of our own people.
 */
function authenticateSender(sender: SenderToTrust, isPerson: boolean): Authentication {
  const { senderEmail, senderEvidence } = sender.document;
  const authentication = authenticate(senderEmail, senderEvidence);
  return authentication.kind === "internal" && !isPerson
    ? { kind: "none", why: `marked as internal, but ${senderEmail} is not one of our people` }
    : authentication;
}

/** Somebody whom we know by address, who writes from our own domains, or who signed in. */
function isKnownPerson({ document, people, firmDomains }: SenderToTrust): boolean {
  const address = normalizeAddress(document.senderEmail);
  const domain = domainOf(address);
  return (
    isOwnUpload(document) ||
    people.some((person) => person.email !== null && normalizeAddress(person.email) === address) ||
    firmDomains.some((own) => domainOf(own) === domain)
  );
}

const isUpload = ({ senderEvidence }: SentDocument) => senderEvidence?.kind === "upload";

export const isOwnUpload = ({ senderEvidence }: SentDocument): boolean =>
  senderEvidence?.kind === "upload" && senderEvidence.isOwn;
