/**
 * The key pairs that Graph encrypts message data for. They are in the home folder, readable only by its
 * owner. Graph keeps using an old certificate for a while after a change, so old keys stay.
 */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readOrCreate } from "../../files/disk.ts";
import type { Clock } from "../../lib/clock.ts";
import { loadDriver } from "../../lib/load-driver.ts";
import type { Random } from "../../lib/random.ts";
import type { EncryptionCertificate } from "./subscription.ts";

export interface EncryptionKeys {
  /** The one for new subscriptions and renewals; created on first use. */
  current(): Promise<EncryptionCertificate>;
  /** Null if we do not have it. */
  privateKey(id: string): Promise<KeyObject | null>;
  /** Creates a new one; renewals send it to Graph. */
  rotate(): Promise<EncryptionCertificate>;
}

interface StoredKey extends EncryptionCertificate {
  readonly privateKey: string;
  readonly createdMs: number;
}

const KEY_BITS = 2_048;
const FILE_NAME = /^[\w-]+\.json$/;

export function openEncryptionKeys(needs: {
  folder: string;
  clock: Clock;
  random: Random;
}): EncryptionKeys {
  const keys = new Map<string, StoredKey>();

  const load = async (): Promise<void> => {
    await mkdir(needs.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(needs.folder)) {
      if (!FILE_NAME.test(name) || keys.has(name.slice(0, -".json".length))) continue;
      const key = JSON.parse(await readFile(join(needs.folder, name), "utf8")) as StoredKey;
      keys.set(key.id, key);
    }
  };
  const rotate = async (): Promise<StoredKey> => {
    await load();
    const key = await makeKey(needs);
    // Complete before it has a name that others read: Graph may have its certificate a moment later.
    await readOrCreate(join(needs.folder, `${key.id}.json`), JSON.stringify(key), needs.random);
    keys.set(key.id, key);
    return key;
  };
  const publicHalf = ({ id, certificate }: StoredKey): EncryptionCertificate => ({
    id,
    certificate,
  });
  return {
    async current() {
      await load();
      const newest = [...keys.values()].sort((one, other) => other.createdMs - one.createdMs)[0];
      return publicHalf(newest ?? (await rotate()));
    },
    async privateKey(id) {
      if (!keys.has(id)) await load();
      const key = keys.get(id);
      return key === undefined ? null : createPrivateKey(key.privateKey);
    },
    rotate: async () => publicHalf(await rotate()),
  };
}

async function makeKey({ clock, random }: { clock: Clock; random: Random }): Promise<StoredKey> {
  const { generate } = await loadDriver(
    "a notification with content",
    ["selfsigned"],
    () => import("selfsigned"),
  );
  const pems = await generate([{ name: "commonName", value: "postroom" }], { keySize: KEY_BITS });
  return {
    id: `postroom-${random.uuid()}`,
    certificate: pems.cert.replace(/-----[^-]+-----|\s/g, ""),
    privateKey: pems.private,
    createdMs: clock.now(),
  };
}
