import type { Address, Header, MessageContent } from "./mail-model.ts";

/** The headers a message came with, or those that its transport would have written. */
export function headersOf(content: MessageContent): readonly Header[] {
  if (content.headers.length > 0) return content.headers;
  const date = new Date(content.sentMs).toUTCString().replace("GMT", "+0000");
  const received = new Date(content.receivedMs).toUTCString().replace("GMT", "+0000");
  const list = (people: readonly Address[]) => people.map(format).join(", ");
  return [
    {
      name: "Received",
      value: `from relay.invalid (192.0.2.1) by mail.invalid (192.0.2.2) with Microsoft SMTP Server; ${received}`,
    },
    ...(content.from === null ? [] : [{ name: "From", value: format(content.from) }]),
    ...(content.toRecipients.length === 0
      ? []
      : [{ name: "To", value: list(content.toRecipients) }]),
    ...(content.ccRecipients.length === 0
      ? []
      : [{ name: "CC", value: list(content.ccRecipients) }]),
    { name: "Subject", value: content.subject },
    { name: "Date", value: date },
    { name: "Message-ID", value: content.internetMessageId },
    { name: "MIME-Version", value: "1.0" },
  ];
}

function format({ name, address }: Address): string {
  return name === address ? address : `${name} <${address}>`;
}
