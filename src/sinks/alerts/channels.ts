/** Where people want to be told: by mail through Graph, in Teams, or by a webhook that speaks Slack's format. */
import { Fault } from "../../lib/fault.ts";
import { createHttp } from "../../lib/http.ts";
import type { Secret } from "../../lib/redact.ts";
import { publicLookup, whyNotTarget } from "../target.ts";

export interface ChannelSettings {
  readonly mail: { readonly from: string; readonly to: readonly string[] } | null;
  /** URLs that let anybody post who knows them. */
  readonly teamsUrl: Secret | null;
  readonly slackUrl: Secret | null;
}

export interface Channel {
  readonly name: "mail" | "teams" | "slack";
  /** Throws if it was not accepted. */
  send(title: string, lines: readonly string[], signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelNeeds {
  readonly privateHosts: readonly string[];
  /** Sends one mail from a mailbox of the first connection. */
  readonly sendMail: (from: string, message: object) => Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** Throws if a URL may not be called. */
export function openChannels(settings: ChannelSettings, needs: ChannelNeeds): Channel[] {
  const { mail, teamsUrl, slackUrl } = settings;
  return [
    ...(mail === null ? [] : [openMail(mail, needs)]),
    ...(teamsUrl === null
      ? []
      : [openWebhook("teams", "NOTIFY_TEAMS_URL", teamsUrl, needs, toCard)]),
    ...(slackUrl === null
      ? []
      : [openWebhook("slack", "NOTIFY_SLACK_URL", slackUrl, needs, toText)]),
  ];
}

function openMail(
  { from, to }: NonNullable<ChannelSettings["mail"]>,
  { sendMail }: ChannelNeeds,
): Channel {
  const toRecipients = to.map((address) => ({ emailAddress: { address } }));
  return {
    name: "mail",
    send: (title, lines) => {
      const body = { contentType: "Text", content: `${lines.join("\n\n")}\n` };
      return sendMail(from, { subject: title, body, toRecipients });
    },
    close: async () => {},
  };
}

const toText = (title: string, lines: readonly string[]): object => ({
  text: [`*${title}*`, ...lines].join("\n"),
});

/** In the format that a Teams workflow accepts. */
const toCard = (title: string, lines: readonly string[]): object => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          { type: "TextBlock", text: title, weight: "Bolder", wrap: true },
          ...lines.map((text) => ({ type: "TextBlock", text, wrap: true })),
        ],
      },
    },
  ],
});

function openWebhook(
  name: "teams" | "slack",
  setting: string,
  secret: Secret,
  { privateHosts }: ChannelNeeds,
  toBody: (title: string, lines: readonly string[]) => object,
): Channel {
  const url = secret.reveal();
  const problem = whyNotTarget(url, privateHosts);
  if (problem !== null) throw new Fault("settings.bad", `${setting}: ${problem}`);
  const http = createHttp({
    allowedOrigins: [url],
    unavailable: "sink.unavailable",
    timeoutMs: TIMEOUT_MS,
    connections: 1,
    lookup: publicLookup(privateHosts),
    answerBytesMax: 64 * 1024,
  });
  return {
    name,
    async send(title, lines, signal) {
      const body = JSON.stringify(toBody(title, lines));
      const headers = { "content-type": "application/json", "user-agent": "postroom" };
      const request = { method: "POST", url, headers, body, ...(signal && { signal }) };
      const { status } = await http(request).catch(toUnreached);
      if (status < 200 || status >= 300)
        throw new Fault("sink.unavailable", `the receiver answered with ${status}`);
    },
    close: http.close,
  };
}

/** The message of the fault names the path, which is the secret of such a URL. */
function toUnreached({ cause }: Error): never {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  throw new Fault("sink.unavailable", `the receiver cannot be reached${why}`);
}
