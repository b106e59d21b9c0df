import type { Reading } from "../../reading/reading.ts";

/** A title is short and near the top; small print that says "as amended" is neither. */
const HEAD_LINES = 25;
const TITLE_WORDS_MAX = 7;

const AMENDED = new RegExp(
  [
    "amended|amendment|corrected|correction|rebooked|rebooking",
    "korrigiert|korrektur|berichtigt|berichtigung",
    "rectificati|rectifié|corrigé|rettificat|rettifica|rectificad|rectificación|corregid",
    "gecorrigeerd|correctie|gewijzigd|retificad|retificação|corrigid|rettet|korrigeret|rättad|rättelse|korrigerad",
  ].join("|"),
  "iu",
);

/** Whether the title says that the document corrects an earlier one. */
export function isAmendment(reading: Reading): boolean {
  const head = reading.pages[0]?.lines.slice(0, HEAD_LINES) ?? [];
  return head.some(
    (line) => line.text.trim().split(/\s+/u).length <= TITLE_WORDS_MAX && AMENDED.test(line.text),
  );
}
