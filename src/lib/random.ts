import { randomBytes, randomUUID } from "node:crypto";

/** The only source of randomness; tests pass a seeded one. */
export interface Random {
  bytes(length: number): Buffer;
  uuid(): string;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  uuid: () => randomUUID(),
  fraction: () => randomBytes(4).readUInt32BE(0) / 4294967296,
};
