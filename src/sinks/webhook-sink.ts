/** Sends each message as a signed POST, as the Standard Webhooks specification describes it. */
import { createHmac } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { createHttp } from "../lib/http.ts";
import type { Secret } from "../lib/redact.ts";
import { type RemoteSink, type SinkMessage, type SinkOutcome, toBody } from "./sink.ts";
import { publicLookup } from "./target.ts";

const TIMEOUT_MS = 15_000;
const PREFIX = "whsec_";

export interface WebhookSettings {
  readonly url: string;
  readonly secret: Secret;
  readonly privateHosts: readonly string[];
}

export function openWebhookSink(clock: Clock, settings: WebhookSettings): RemoteSink {
  const { url, secret } = settings;
  const http = createHttp({
    allowedOrigins: [url],
    unavailable: "sink.unavailable",
    timeoutMs: TIMEOUT_MS,
    connections: 1,
    lookup: publicLookup(settings.privateHosts),
    answerBytesMax: 64 * 1024,
  });
  const send = async (
    message: SinkMessage,
    signal: AbortSignal,
  ): Promise<SinkOutcome["problem"]> => {
    const body = toBody(message);
    const sentAt = Math.floor(clock.now() / 1_000);
    const answer = await http({
      method: "POST",
      url,
      body,
      signal,
      headers: {
        "content-type": "application/json",
        "user-agent": "postroom",
        "webhook-id": message.id,
        "webhook-timestamp": String(sentAt),
        "webhook-signature": `v1,${sign(secret, `${message.id}.${sentAt}.${body}`)}`,
      },
    });
    if (answer.status >= 200 && answer.status < 300) return undefined;
    const seconds = Number(answer.headers["retry-after"]);
    // A redirect is refused like any other answer: it would carry the message to an address that nobody has checked.
    return {
      text: `the receiver answered with ${answer.status}`,
      ...(seconds > 0 ? { retryAfterMs: Math.min(seconds, 3_600) * 1_000 } : {}),
    };
  };
  return {
    async deliver(messages, signal) {
      for (const [taken, message] of messages.entries()) {
        const problem = await send(message, signal).catch((error: Error) => ({
          text: error.message,
        }));
        if (problem !== undefined) return { taken, problem };
      }
      return { taken: messages.length };
    },
    close: http.close,
  };
}

function sign(secret: Secret, content: string): string {
  const key = Buffer.from(secret.reveal().slice(PREFIX.length), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}

/** A new secret in the form that libraries for Standard Webhooks take. */
export const toWebhookSecret = (bytes: Buffer): string => `${PREFIX}${bytes.toString("base64")}`;
