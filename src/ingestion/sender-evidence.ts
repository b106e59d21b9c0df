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
  };
}
