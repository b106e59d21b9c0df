/** Rejects values that would make the server unsafe, whatever the other settings are. */
import { isIP } from "node:net";
import * as z from "zod";
import { isLoopbackHost } from "../lib/loopback.ts";

/** Entra and Dataverse issue these secrets; a shorter one was mistyped or truncated. */
export const SECRET_LENGTH_MIN = 8;
/** Callers authenticate with these secrets, so they must not be guessable. */
export const PROOF_LENGTH_MIN = 16;

const NO_HTTPS = "must be https (http only for loopback)";
const PLACEHOLDER = /^(?:change-?me|secret|password|default|example|your[-_ ].*|<.*>|x+|\*+)$/i;

/** Over plain http anyone on the network path can read our tokens, so only this machine may use it. */
export const safeUrl = z.url({ protocol: /^https?$/, abort: true }).refine(isSafeUrl, NO_HTTPS);

export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackHost(hostname);
}

export function whyUnsafeUrl(url: string): string | null {
  if (!URL.canParse(url)) return "must be a URL";
  return isSafeUrl(url) ? null : NO_HTTPS;
}

export function whyUnsafeSecret(secret: string, lengthMin = SECRET_LENGTH_MIN): string | null {
  if (secret === "") return "must not be empty";
  if (PLACEHOLDER.test(secret)) return "is a placeholder; set the secret itself";
  return secret.length < lengthMin ? `must have at least ${lengthMin} characters` : null;
}

export const secretText = (lengthMin = SECRET_LENGTH_MIN, text = z.string()) =>
  text.superRefine((secret, context) => {
    const problem = whyUnsafeSecret(secret, lengthMin);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });

const NETWORKS: ReadonlySet<string> = new Set(["loopback", "linklocal", "uniquelocal"]);

/** Addresses and networks, separated by commas. */
export const networks = z
  .string()
  .transform((text) => text.split(",").map((each) => each.trim()))
  .refine((list) => list.every(isNetwork), "must be addresses or networks, like 10.0.0.0/8");

function isNetwork(text: string): boolean {
  const [address = "", prefix = "0", ...more] = text.split("/");
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    NETWORKS.has(text) || (more.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= bits)
  );
}
