/** The encrypted content of rich notifications. */
import { constants, createCipheriv, createHmac, publicEncrypt, X509Certificate } from "node:crypto";
import type { Random } from "../../random.ts";

export interface EncryptedContent {
  readonly data: string;
  readonly dataSignature: string;
  readonly dataKey: string;
  readonly encryptionCertificateId: string;
  readonly encryptionCertificateThumbprint: string;
}

/**
 * Uses a new key for each item: AES-256-CBC with the first half of the key as the vector; the key is wrapped
 * with RSA-OAEP.
 */
export function encryptContent(
  content: object,
  { text, id }: { readonly text: string; readonly id: string },
  random: Random,
): EncryptedContent {
  const certificate = new X509Certificate(Buffer.from(text, "base64"));
  const key = random.bytes(32);
  const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16));
  const data = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
  const wrapped = publicEncrypt(
    { key: certificate.publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    key,
  );
  return {
    data: data.toString("base64"),
    dataSignature: createHmac("sha256", key).update(data).digest("base64"),
    dataKey: wrapped.toString("base64"),
    encryptionCertificateId: id,
    encryptionCertificateThumbprint: certificate.fingerprint.replaceAll(":", ""),
  };
}
