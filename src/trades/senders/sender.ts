/** Approved senders: one address, or everybody at a domain. */
import { domainToASCII } from "node:url";
import { isPublicDomain } from "./public-domains.ts";

export interface ApprovedSender {
  /** `desk@broker.example` or `@broker.example`, in lower case. */
  readonly pattern: string;
  readonly approvedBy: string;
  readonly approvedAt: Date;
  /** YYYY-MM-DD, the last day of the approval; null if it has no end. */
  readonly until: string | null;
}

const PATTERN = /^[^\s@<>"(),;:]*@[^\s@<>"(),;:]+\.[^\s@<>"(),;:.]+$/;

/** In lower case, with international domains in their ASCII form. */
export function normalizeAddress(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf("@");
  if (at < 0) return lower(text);
  return `${lower(text.slice(0, at))}@${toAscii(text.slice(at + 1).toLowerCase())}`;
}

export function domainOf(address: string): string {
  const text = normalizeAddress(address);
  return toAscii(text.slice(text.lastIndexOf("@") + 1));
}

/** Only ASCII letters: in Unicode the Kelvin sign becomes a k, and two mailboxes would be one. */
const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What URLs end a host name with, or leave out of it, is no part of a domain: `firm.example/.evil.example`. */
const HOST_NAME = /^[\p{L}\p{M}\p{N}.。-]+$/u;
const toAscii = (domain: string) => (HOST_NAME.test(domain) && domainToASCII(domain)) || domain;

/** Why the pattern may not be approved; null if it may. */
export function objectionToPattern(pattern: string): string | null {
  if (!PATTERN.test(pattern)) return `${pattern} is neither an address nor @domain`;
  const isWholeDomain = pattern.startsWith("@");
  if (isWholeDomain && isPublicDomain(domainOf(pattern))) {
    return `anybody can get an address at ${pattern.slice(1)}; approve single addresses instead`;
  }
  return null;
}

/**
 * The approval that covers the address today; one for the address itself takes precedence over one for its
 * domain.
 */
export function findApproval(
  approvals: readonly ApprovedSender[],
  address: string,
  today: string,
): ApprovedSender | null {
  const plainAddress = normalizeAddress(address);
  const valid = approvals.filter(({ until }) => until === null || until >= today);
  return (
    valid.find(({ pattern }) => pattern === plainAddress) ??
    valid.find(({ pattern }) => pattern === `@${domainOf(plainAddress)}`) ??
    null
  );
}
