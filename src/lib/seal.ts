import { createCipheriv, createDecipheriv } from "node:crypto";
import { sha256 } from "./hash.ts";
import type { Random } from "./random.ts";

/** Encrypts text for storage; without the same secret it cannot be read. */
export interface Seal {
  close(text: string): Buffer;
  /** Null if the bytes were changed or sealed with another secret. */
  open(sealed: Buffer): string | null;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function createSeal(secret: string, random: Random): Seal {
  const key = sha256(`seal:${secret}`);
  return {
    close(text) {
      const iv = random.bytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES));
        decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const body = sealed.subarray(IV_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
      } catch {
        return null; // if the secret changed, the caller simply starts over
      }
    },
  };
}
