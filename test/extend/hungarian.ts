/** A language: the words that a contract note of a Hungarian bank uses, without accents. */
import type { LanguageWords } from "../../src/extract/index.ts";

export const HUNGARIAN: LanguageWords = {
  buy: "vetel, vasarlas",
  sell: "eladas",
  cancel: "storno",
  title: "ertekpapir ugyletkotes visszaigazolasa, ugyletkotes visszaigazolasa",
  labels: {
    quantity: "darabszam, mennyiseg",
    price: "arfolyam",
    gross: "ertek, arfolyamertek",
    fee: "jutalek",
    net: "fizetendo osszeg, elszamolt osszeg",
    tradeDate: "kotesnap",
    settleDate: "elszamolas napja",
  },
};
