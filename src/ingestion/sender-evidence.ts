/** What vouches for the sender of a document. Stored with it; `src/trades/senders/` judges it. */
export type SenderEvidence =
  | {
      readonly kind: "mail";
      /** The topmost header of that name. Those below it may have been written by the sender. */
      readonly authenticationResults: string | null;
      /** Every value of Exchange's mark `X-MS-Exchange-Organization-AuthAs`. */
      readonly authAs: readonly string[];
      /** The mailbox that really sent it, which may differ from the author. */
      readonly sender: string | null;
      /** True if a rule or a program sent it in the sender's name; absent in rows of earlier versions. */
      readonly isAutomatic?: boolean;
    }
  /** Someone who signed in; `isOwn` if they uploaded it for themselves. */
  | { readonly kind: "upload"; readonly isOwn: boolean }
  /** A program that may write into the watched folder. */
  | { readonly kind: "folder" };

export interface MailHeader {
  readonly name: string;
  readonly value: string;
}

const VALUE_MAX = 4_000;

/** Exchange marks what an inbox rule forwards with these; the first is RFC 3834's, and people's own mail may have it as "no". */
const AUTO_SUBMITTED = "auto-submitted";
const MARKS_OF_RULES = [
  "x-ms-exchange-inbox-rules-loop",
  "x-ms-exchange-generated-message-source",
  "x-ms-exchange-organization-autoforwarded",
];

/** Expects headers in the order of the message, the topmost first. */
export function evidenceOfMail(
  headers: readonly MailHeader[],
  sender: string | null,
): SenderEvidence {
  const valuesOf = (name: string) =>
    headers
      .filter((header) => header.name.toLowerCase() === name)
      .map((header) => header.value.slice(0, VALUE_MAX));
  return {
    kind: "mail",
    authenticationResults: valuesOf("authentication-results")[0] ?? null,
    authAs: valuesOf("x-ms-exchange-organization-authas"),
    sender,
    isAutomatic:
      valuesOf(AUTO_SUBMITTED).some((value) => !/^\s*no\s*(;|$)/i.test(value)) ||
      MARKS_OF_RULES.some((name) => valuesOf(name).length > 0),
  };
}
