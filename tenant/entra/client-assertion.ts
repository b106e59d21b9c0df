import { constants, createHash, type KeyObject, verify, X509Certificate } from "node:crypto";
import type { AppRegistration } from "../context.ts";
import { refuse } from "./entra-error.ts";
import { type DecodedJwt, decodeJwt } from "./tokens/jwt.ts";
import type { TokenWorld } from "./tokens/tokens.ts";

/** A client authenticates with a JWT signed with a certificate of its registration. */
export function checkAssertionOf(
  world: TokenWorld,
  client: AppRegistration,
  assertion: string,
): void {
  const problem = findProblem(world, client, assertion);
  if (problem === null) return;
  const [number, message] = problem;
  refuse({ error: "invalid_client", number, message, status: world.switches.invalidClientStatus });
}

function findProblem(
  world: TokenWorld,
  client: AppRegistration,
  assertion: string,
): [number: number, message: string] | null {
  const jwt = decodeJwt(assertion);
  if (jwt === null) return [50027, "JWT token is invalid or malformed."];
  const certificate = (client.certificates ?? [])
    .map((pem) => new X509Certificate(pem))
    .find((each) => isNamedBy(jwt, each));
  if (certificate === undefined) {
    return [
      700027,
      `The certificate with identifier used to sign the client assertion is not registered on application '${client.appId}'.`,
    ];
  }
  if (!isSignedWith(jwt, certificate.publicKey)) {
    return [700027, "Client assertion failed signature validation."];
  }
  if (!(Number(jwt.claims["exp"]) > world.clock.now() / 1000)) {
    return [700024, "Client assertion is not within its valid time range."];
  }
  if (jwt.claims["iss"] !== client.appId || jwt.claims["sub"] !== client.appId) {
    return [700021, "Client assertion application identifier doesn't match 'client_id' parameter."];
  }
  return isForThisTenant(world, jwt.claims["aud"])
    ? null
    : [700023, "Client assertion audience claim does not match Realm issuer."];
}

function isNamedBy(jwt: DecodedJwt, certificate: X509Certificate): boolean {
  const digest = (algorithm: string) =>
    createHash(algorithm).update(certificate.raw).digest("base64url");
  const { "x5t#S256": sha256, x5t: sha1, kid } = jwt.header;
  if (typeof sha256 === "string") return sha256.replace(/=+$/, "") === digest("sha256");
  if (typeof sha1 === "string") return sha1.replace(/=+$/, "") === digest("sha1");
  return (
    typeof kid === "string" && kid.toUpperCase() === certificate.fingerprint.replaceAll(":", "")
  );
}

/** MSAL signs with PS256 if it knows the SHA-256 thumbprint, otherwise with RS256. */
function isSignedWith(jwt: DecodedJwt, key: KeyObject): boolean {
  const signed = Buffer.from(jwt.signed);
  if (jwt.header["alg"] === "RS256") return verify("RSA-SHA256", signed, key, jwt.signature);
  if (jwt.header["alg"] !== "PS256") return false;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify(
    "RSA-SHA256",
    signed,
    { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
    jwt.signature,
  );
}

/** True for the token endpoint as a client may name it: on this machine, or Microsoft's own name for it. */
function isForThisTenant(world: TokenWorld, audience: unknown): boolean {
  const hosts = [world.origin(), "https://login.microsoftonline.com"];
  return hosts.some((host) => typeof audience === "string" && audience.startsWith(`${host}/`));
}
