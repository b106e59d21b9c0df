import { DANISH, PORTUGUESE, SWEDISH } from "./labels/da-pt-sv.ts";
import { ENGLISH, GERMAN } from "./labels/de-en.ts";
import { DUTCH, SPANISH } from "./labels/es-nl.ts";
import { FRENCH, ITALIAN } from "./labels/fr-it.ts";
import type { Language } from "./note.ts";

/** The words of a note. Ways of saying the same thing are parted by `|`; each note keeps to one of them. */
export interface Labels {
  noteTitle: string;
  buy: string;
  sell: string;
  /** Prose with {quantity}, {name}, {price}, {date} in it. */
  sentenceBuy: string;
  sentenceSell: string;
  security: string;
  quantity: string;
  units: string;
  nominal: string;
  price: string;
  closingPrice: string;
  tradeDate: string;
  settlementDate: string;
  venue: string;
  gross: string;
  commission: string;
  exchangeFee: string;
  totalFees: string;
  transactionTax: string;
  capitalGainsTax: string;
  fxRate: string;
  accruedInterest: string;
  netDebit: string;
  netCredit: string;
  account: string;
  orderNumber: string;
  noteNumber: string;
  client: string;
  direction: string;
  date: string;
  amount: string;
  page: string;
  savingsPlanTitle: string;
  statementTitle: string;
  statementIntro: string;
  cancellationTitle: string;
  cancels: string;
  amendmentTitle: string;
  replaces: string;
  dividendTitle: string;
  dividendPerShare: string;
  withholdingTax: string;
  paymentDate: string;
  exDate: string;
  taxTitle: string;
  taxableGain: string;
  taxAllowance: string;
  accountTitle: string;
  openingBalance: string;
  closingBalance: string;
  booking: string;
  /** Cash lines of an account statement, none of them a trade. */
  cashLines: string;
  newsletterTitle: string;
  newsletterText: string;
  greeting: string;
  legal: string;
}

const ALL: Record<Language, Labels> = {
  de: GERMAN,
  en: ENGLISH,
  fr: FRENCH,
  it: ITALIAN,
  es: SPANISH,
  nl: DUTCH,
  pt: PORTUGUESE,
  da: DANISH,
  sv: SWEDISH,
};

/** One wording per idea, drawn once so that a note does not change its words halfway. */
export function chooseLabels(language: Language, pick: (ways: string[]) => string): Labels {
  const entries = Object.entries(ALL[language]).map(([key, ways]) => {
    const isList = key === "cashLines";
    return [key, isList ? ways : pick((ways as string).split("|"))];
  });
  return Object.fromEntries(entries) as Labels;
}
