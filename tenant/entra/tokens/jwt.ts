import { sign, verify } from "node:crypto";
import type { SigningKey } from "./keys.ts";

export type Claims = Readonly<Record<string, unknown>>;

export interface DecodedJwt {
  readonly header: Claims;
  readonly claims: Claims;
  readonly signed: string;
  readonly signature: Buffer;
}

/** As in Entra, only the header of version-1 tokens contains `x5t`. */
export function signJwt(key: SigningKey, claims: Claims): string {
  const header = {
    typ: "JWT",
    alg: "RS256",
    ...(claims["ver"] === "1.0" ? { x5t: key.kid } : {}),
    kid: key.kid,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key.privateKey).toString("base64url")}`;
}

/** Returns null for anything that is not three parts of base64url of which the first two are JSON objects. */
export function decodeJwt(token: string): DecodedJwt | null {
  const [header, claims, signature, ...rest] = token.split(".");
  if (!header || !claims || !signature || rest.length > 0) return null;
  try {
    const decoded = [header, claims].map(
      (part) => JSON.parse(Buffer.from(part, "base64url").toString()) as unknown,
    );
    if (!decoded.every((value) => typeof value === "object" && value !== null)) return null;
    return {
      header: decoded[0] as Claims,
      claims: decoded[1] as Claims,
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, "base64url"),
    };
  } catch {
    return null; // not JSON: treated like a forged token
  }
}

export function isSignedBy(jwt: DecodedJwt, key: SigningKey): boolean {
  if (jwt.header["alg"] !== "RS256") return false;
  return verify("RSA-SHA256", Buffer.from(jwt.signed), key.publicKey, jwt.signature);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
