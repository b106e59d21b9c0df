import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { generate } from "selfsigned";

/** One signing key of the tenant with the certificate that its JWKS entry shows. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export interface SigningKeys {
  /** The key that signs new tokens. */
  current(): SigningKey;
  /** Every key the JWKS document shows, newest first. */
  published(): readonly SigningKey[];
  find(kid: string): SigningKey | null;
  /** Creates a new key that signs from now on; the previous one stays published unless `dropOld`. */
  rotate(dropOld?: boolean): Promise<SigningKey>;
}

// RSA keys take a tenth of a second to create. They never reach the journal, so all tenants of one process
// share them: the first uses key 0, its first rotation key 1, and so on.
const made: Promise<SigningKey>[] = [];

function keyAt(index: number): Promise<SigningKey> {
  made[index] ??= createSigningKey();
  return made[index];
}

async function createSigningKey(): Promise<SigningKey> {
  const attributes = [{ name: "commonName", value: "accounts.accesscontrol.windows.net" }];
  const pem = await generate(attributes, { algorithm: "sha256", keySize: 2048 });
  const publicKey = createPublicKey(pem.public);
  const der = new X509Certificate(pem.cert).raw;
  const kid = createHash("sha1").update(der).digest("base64url");
  const { n, e } = publicKey.export({ format: "jwk" });
  const jwk = { kty: "RSA", use: "sig", kid, x5t: kid, n, e, x5c: [der.toString("base64")] };
  return { kid, privateKey: createPrivateKey(pem.private), publicKey, jwk };
}

export async function createSigningKeys(): Promise<SigningKeys> {
  let next = 0;
  let published = [await keyAt(next++)];
  return {
    current: () => published[0]!,
    published: () => published,
    find: (kid) => published.find((key) => key.kid === kid) ?? null,
    async rotate(dropOld = false) {
      const key = await keyAt(next++);
      published = dropOld ? [key] : [key, ...published];
      return key;
    },
  };
}
