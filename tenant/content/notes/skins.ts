import type { DateStyle, NumberStyle } from "./locale.ts";
import type { Language } from "./note.ts";

/** An invented broker: its details and how its documents look. */
export interface Skin {
  id: string;
  /** Letterhead: name, street, town. */
  broker: [name: string, street: string, town: string];
  contact: string[];
  languages: Language[];
  /** The account's currency. */
  currency: string;
  /** The word before the market's own security number. */
  localIdLabel: string;
  fonts: { regular: string; bold: string };
  size: number;
  paper: "A4" | "LETTER";
  accent: string;
  /** Where the letterhead is. */
  head: "left" | "right" | "centre";
  facts: "left-right" | "above" | "leader" | "two-columns" | "inline";
  sums: "right" | "leader" | "boxed";
  table: "ruled" | "plain" | "shaded";
  /** Prints single trades as a table with column headers instead of labels and values. */
  tradeAsTable: boolean;
  /** An opening sentence states the trade in prose. */
  hasSentence: boolean;
  hasCapitals: boolean;
  /** On which side of the amount the currency is printed. */
  currencyFirst: boolean;
  hasLegalPage: boolean;
  /** If present, they replace the usual formats of the language. */
  numbers?: NumberStyle;
  dates?: DateStyle[];
}

const SANS = { regular: "Helvetica", bold: "Helvetica-Bold" };
const SERIF = { regular: "Times-Roman", bold: "Times-Bold" };
const MONO = { regular: "Courier", bold: "Courier-Bold" };

export const SKINS: readonly Skin[] = [
  {
    id: "lindenquell",
    broker: ["Lindenquell Wertpapierhaus AG", "Am Alten Speicher 7", "99998 Lindenquell"],
    contact: ["Telefon 0800 000 7755", "depot@lindenquell.example", "Vorstand: Ada Reuß, Tom Behn"],
    languages: ["de", "en"],
    currency: "EUR",
    localIdLabel: "WKN",
    fonts: SANS,
    size: 9.5,
    paper: "A4",
    accent: "#1d4f63",
    head: "right",
    facts: "left-right",
    sums: "right",
    table: "ruled",
    tradeAsTable: false,
    hasSentence: false,
    hasCapitals: false,
    currencyFirst: false,
    hasLegalPage: true,
  },
  {
    id: "kestrelbrook",
    broker: ["Kestrelbrook Securities Ltd", "4 Quayside Row", "Port Ellery PE1 0ZZ"],
    contact: ["Tel 0300 000 4411", "dealing@kestrelbrook.example", "Registered no. 00000417"],
    languages: ["en"],
    currency: "GBP",
    localIdLabel: "SEDOL",
    fonts: SERIF,
    size: 10,
    paper: "A4",
    accent: "#5a2a2a",
    head: "left",
    facts: "two-columns",
    sums: "leader",
    table: "plain",
    tradeAsTable: false,
    hasSentence: true,
    hasCapitals: false,
    currencyFirst: true,
    hasLegalPage: true,
  },
  {
    id: "valdore",
    broker: ["Maison Valdoré Courtage", "18 quai des Tilleuls", "00400 Valdoré"],
    contact: ["Service clients 09 00 00 31 20", "bourse@valdore.example"],
    languages: ["fr", "de", "en"],
    currency: "EUR",
    localIdLabel: "Code",
    fonts: SANS,
    size: 9,
    paper: "A4",
    accent: "#6b3fa0",
    head: "centre",
    facts: "above",
    sums: "boxed",
    table: "shaded",
    tradeAsTable: false,
    hasSentence: false,
    hasCapitals: false,
    currencyFirst: false,
    hasLegalPage: false,
  },
  {
    id: "seehalde",
    broker: ["Seehalde Privatbroker AG", "Uferweg 21", "9099 Seehalde"],
    contact: ["T +41 00 000 88 10", "handel@seehalde.example", "MWST CHE-000.000.417"],
    languages: ["de", "fr", "it", "en"],
    currency: "CHF",
    localIdLabel: "Valor",
    fonts: SANS,
    size: 9.5,
    paper: "A4",
    accent: "#a0281e",
    head: "left",
    facts: "leader",
    sums: "leader",
    table: "ruled",
    tradeAsTable: false,
    hasSentence: false,
    hasCapitals: false,
    currencyFirst: true,
    hasLegalPage: true,
    numbers: { group: "'", decimal: "." },
    dates: ["dd.mm.yyyy"],
  },
  {
    id: "tulpenkade",
    broker: ["Tulpenkade Effecten NV", "Herenkade 112", "0000 TK Tulpenkade"],
    contact: ["088 000 2200", "service@tulpenkade.example", "KvK 00041700"],
    languages: ["nl", "en", "de"],
    currency: "EUR",
    localIdLabel: "Fondscode",
    fonts: SANS,
    size: 8.5,
    paper: "A4",
    accent: "#0d6e4f",
    head: "left",
    facts: "inline",
    sums: "right",
    table: "shaded",
    tradeAsTable: true,
    hasSentence: false,
    hasCapitals: true,
    currencyFirst: false,
    hasLegalPage: false,
  },
  {
    id: "ginestra",
    broker: ["Ginestra Intermediazioni SIM", "Via dei Limoni 33", "00099 Porto Ginestra"],
    contact: ["Numero verde 800 000 616", "titoli@ginestra.example"],
    languages: ["it", "en", "fr"],
    currency: "EUR",
    localIdLabel: "Cod. titolo",
    fonts: SERIF,
    size: 10,
    paper: "A4",
    accent: "#b8860b",
    head: "centre",
    facts: "left-right",
    sums: "boxed",
    table: "plain",
    tradeAsTable: false,
    hasSentence: true,
    hasCapitals: false,
    currencyFirst: true,
    hasLegalPage: true,
  },
  {
    id: "almendral",
    broker: ["Almendral Bolsa SV", "Paseo del Olivar 5", "00070 Almendral"],
    contact: ["900 000 245", "valores@almendral.example", "Inscrita con el n.º 0000"],
    languages: ["es", "pt", "en"],
    currency: "EUR",
    localIdLabel: "Código",
    fonts: SANS,
    size: 9,
    paper: "A4",
    accent: "#c2571a",
    head: "right",
    facts: "above",
    sums: "right",
    table: "ruled",
    tradeAsTable: true,
    hasSentence: false,
    hasCapitals: false,
    currencyFirst: false,
    hasLegalPage: false,
  },
  {
    id: "harborlight",
    broker: ["Harborlight Brokerage LLC", "900 Lantern Street", "Saltmarsh, XX 00000"],
    contact: [
      "(555) 010-0142",
      "confirms@harborlight.example",
      "Member of no exchange: sample data",
    ],
    languages: ["en"],
    currency: "USD",
    localIdLabel: "CUSIP",
    fonts: MONO,
    size: 8.5,
    paper: "LETTER",
    accent: "#222222",
    head: "left",
    facts: "two-columns",
    sums: "right",
    table: "plain",
    tradeAsTable: false,
    hasSentence: false,
    hasCapitals: true,
    currencyFirst: true,
    hasLegalPage: false,
    dates: ["mm/dd/yyyy"],
  },
  {
    id: "nordfjell",
    broker: ["Nordfjell Fonds og Aktier A/S", "Havnepladsen 3", "0999 Fjellby"],
    contact: ["00 00 41 70", "handel@nordfjell.example", "CVR 00000417"],
    languages: ["da", "sv", "en"],
    currency: "DKK",
    localIdLabel: "Fondskode",
    fonts: SANS,
    size: 9,
    paper: "A4",
    accent: "#2b5d8a",
    head: "right",
    facts: "leader",
    sums: "boxed",
    table: "shaded",
    tradeAsTable: false,
    hasSentence: true,
    hasCapitals: false,
    currencyFirst: false,
    hasLegalPage: true,
  },
];
