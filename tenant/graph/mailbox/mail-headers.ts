/**
 * The headers of a received message, as Exchange Online leaves them: its own on top, then the sender's.
 * Formats: protocol facts, section 11; Microsoft's "Anti-spam message headers".
 */
import type { Address, Arrival, Header, MessageContent } from "./mail-model.ts";

/** Exchange removes these from incoming mail, so that nobody outside can write them. */
const ORGANIZATION_HEADER = /^x-ms-exchange-organization-/i;
const SENDER_IP = "192.0.2.1";

/** Empty for a message that was never received and whose author added no headers. */
export function headersOf(content: MessageContent): readonly Header[] {
  const written = content.headers.filter(({ name }) => !ORGANIZATION_HEADER.test(name));
  const { arrival } = content;
  if (!arrival) return written;
  const isMime = written.some(({ name }) => /^from$/i.test(name));
  return [
    ...exchangeHeaders(content, arrival),
    ...written,
    ...(isMime ? [] : plainHeaders(content)),
  ];
}

function exchangeHeaders(content: MessageContent, { verdict, domain }: Arrival): Header[] {
  const isInternal = verdict === "internal";
  const relay = isInternal ? `mail.${domain} (192.0.2.2)` : `relay.invalid (${SENDER_IP})`;
  return [
    {
      name: "Received",
      value: `from ${relay} by mail.invalid (192.0.2.2) with Microsoft SMTP Server; ${toMailDate(content.receivedMs)}`,
    },
    ...(verdict === "internal"
      ? []
      : [{ name: "Authentication-Results", value: resultsOf(content, verdict, domain) }]),
    { name: "X-MS-Exchange-Organization-AuthSource", value: "mail.invalid" },
    {
      name: "X-MS-Exchange-Organization-AuthAs",
      value: isInternal ? "Internal" : "Anonymous",
    },
  ];
}

/** One line without an authserv-id, with the receiving domain between the methods. */
function resultsOf(
  { from }: MessageContent,
  verdict: Exclude<Arrival["verdict"], "internal">,
  domain: string,
): string {
  const sender = domainOf(from?.address ?? "");
  const ip = `(sender IP is ${SENDER_IP})`;
  const methods = {
    pass: [
      `spf=pass ${ip} smtp.mailfrom=${sender}`,
      `dkim=pass (signature was verified) header.d=${sender}`,
      `dmarc=pass action=none header.from=${sender};compauth=pass reason=100`,
    ],
    fail: [
      `spf=fail ${ip} smtp.mailfrom=${sender}`,
      "dkim=none (message not signed) header.d=none",
      `dmarc=fail action=oreject header.from=${sender};compauth=fail reason=000`,
    ],
    none: [
      `spf=none ${ip} smtp.mailfrom=${sender}`,
      "dkim=none (message not signed) header.d=none",
      `dmarc=none action=none header.from=${sender};compauth=none reason=300`,
    ],
  }[verdict];
  return `${methods[0]}; ${domain}; ${methods[1]};${domain}; ${methods[2]}`;
}

/** Headers that the sender's program writes into every message. */
function plainHeaders(content: MessageContent): Header[] {
  const list = (people: readonly Address[]) => people.map(format).join(", ");
  const optional = (name: string, value: string) => (value === "" ? [] : [{ name, value }]);
  return [
    ...optional("From", content.from === null ? "" : format(content.from)),
    ...optional("To", list(content.toRecipients)),
    ...optional("CC", list(content.ccRecipients)),
    { name: "Subject", value: content.subject },
    { name: "Date", value: toMailDate(content.sentMs) },
    { name: "Message-ID", value: content.internetMessageId },
    { name: "MIME-Version", value: "1.0" },
  ];
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

function toMailDate(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}

function format({ name, address }: Address): string {
  return name === address ? address : `${name} <${address}>`;
}
