import { createHmac, timingSafeEqual } from "node:crypto";
import type { TenantContext } from "../context.ts";
import { otherHost } from "../graph/call/upload-host.ts";

/**
 * Short-lived links that need no token: the holder may read that one version. They point to another host, as
 * the real ones do, so that a client does not send its token along.
 */
export interface Links {
  toFile(facts: LinkFacts): string;
  toPreview(facts: LinkFacts): string;
  /** What a link refers to; null if it is forged or has expired. */
  read(token: string): LinkFacts | null;
}

interface LinkFacts {
  readonly driveId: string;
  readonly itemId: string;
  readonly versionId: string;
}

const LIFETIME_MS = 60 * 60 * 1000;

export function createLinks(context: TenantContext): Links {
  const key = context.random.fork("drive-links").bytes(32);
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  const write = ({ driveId, itemId, versionId }: LinkFacts) => {
    const untilMs = context.clock.now() + LIFETIME_MS;
    const text = Buffer.from([driveId, itemId, versionId, untilMs].join("\n")).toString(
      "base64url",
    );
    return `${text}.${sign(text)}`;
  };
  return {
    toFile: (facts) => `${otherHost(context.origin())}/download/drive/${write(facts)}`,
    toPreview: (facts) =>
      `${otherHost(context.origin())}/download/drive/${write(facts)}?mode=preview`,
    read(token) {
      const [text = "", signature = ""] = token.split(".");
      const [expected, given] = [Buffer.from(sign(text)), Buffer.from(signature)];
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
      const [driveId, itemId, versionId, untilMs] = Buffer.from(text, "base64url")
        .toString()
        .split("\n");
      if (Number(untilMs) <= context.clock.now()) return null;
      return { driveId: driveId!, itemId: itemId!, versionId: versionId! };
    },
  };
}
