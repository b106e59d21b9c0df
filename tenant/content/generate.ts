import type { MessageDraft } from "../graph/mailbox/mail-model.ts";
import { createRandom } from "../random.ts";

const SENDERS = [
  "desk@northgate-securities.example",
  "news@marketbrief.example",
  "ella.stone@client.example",
];
const TOPICS = [
  "Contract note",
  "Morning brief",
  "Question about the statement",
  "Settlement instruction",
];
const WORDS =
  "the order was filled at the price agreed and settles in two days please check and confirm".split(
    " ",
  );
const FIRST_RECEIVED_MS = Date.UTC(2024, 0, 1);
const SPACING_MS = 60_000;

/**
 * Message `index` of an endless mailbox: the same every time it is requested; a higher index is later mail.
 * Nothing is stored, so a million messages take no memory.
 */
export function generateMessage(index: number, seed: string | number = "generated"): MessageDraft {
  const random = createRandom(`${seed}/${index}`);
  const topic = random.pick(TOPICS);
  const words = Array.from({ length: 20 + random.below(40) }, () => random.pick(WORDS));
  const receivedMs = FIRST_RECEIVED_MS + index * SPACING_MS;
  return {
    subject: `${topic} ${index + 1}`,
    from: random.pick(SENDERS),
    to: "operations@ashdown.example",
    body: { contentType: "text", content: words.join(" ") },
    internetMessageId: `<generated-${index}@bulk.example>`,
    receivedAt: receivedMs,
    sentAt: receivedMs - 1000 * (1 + random.below(30)),
    isRead: index % 3 === 0,
  };
}
