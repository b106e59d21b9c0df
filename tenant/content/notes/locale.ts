import type { Language } from "./note.ts";

/** How numbers are written: brokers differ only in the grouping and decimal marks. */
export interface NumberStyle {
  group: string;
  decimal: string;
}

export type DateStyle =
  | "dd.mm.yyyy"
  | "dd/mm/yyyy"
  | "mm/dd/yyyy"
  | "dd-mm-yyyy"
  | "yyyy-mm-dd"
  | "d month yyyy";

const NUMBERS: Record<Language, NumberStyle> = {
  de: { group: ".", decimal: "," },
  en: { group: ",", decimal: "." },
  fr: { group: " ", decimal: "," },
  it: { group: ".", decimal: "," },
  es: { group: ".", decimal: "," },
  nl: { group: ".", decimal: "," },
  pt: { group: ".", decimal: "," },
  da: { group: ".", decimal: "," },
  sv: { group: " ", decimal: "," },
};

const DATES: Record<Language, DateStyle[]> = {
  de: ["dd.mm.yyyy"],
  en: ["dd/mm/yyyy", "d month yyyy"],
  fr: ["dd/mm/yyyy", "d month yyyy"],
  it: ["dd/mm/yyyy"],
  es: ["dd/mm/yyyy", "d month yyyy"],
  nl: ["dd-mm-yyyy"],
  pt: ["dd/mm/yyyy"],
  da: ["dd-mm-yyyy", "dd.mm.yyyy"],
  sv: ["yyyy-mm-dd"],
};

const MONTHS: Record<Language, string> = {
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
  en: "January February March April May June July August September October November December",
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  nl: "januari februari maart april mei juni juli augustus september oktober november december",
  pt: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  da: "januar februar marts april maj juni juli august september oktober november december",
  sv: "januari februari mars april maj juni juli augusti september oktober november december",
};

export function numberStyleOf(language: Language): NumberStyle {
  return NUMBERS[language];
}

export function dateStylesOf(language: Language): readonly DateStyle[] {
  return DATES[language];
}

/** Writes a number with grouped thousands. If `placesMin` is less than `places`, trailing zeros are trimmed down to it. */
export function writeNumber(
  value: number,
  style: NumberStyle,
  places: number,
  placesMin = places,
): string {
  let [whole, fraction = ""] = Math.abs(value).toFixed(places).split(".") as [string, string?];
  while (fraction.length > placesMin && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  whole = whole.replace(/\B(?=(?:\d{3})+$)/gu, style.group);
  const sign = value < 0 ? "-" : "";
  return sign + whole + (fraction === "" ? "" : style.decimal + fraction);
}

/** `day` is YYYY-MM-DD. */
export function writeDate(day: string, style: DateStyle, language: Language): string {
  const [year, month, date] = day.split("-") as [string, string, string];
  if (style === "d month yyyy") {
    return `${Number(date)} ${MONTHS[language].split(" ")[Number(month) - 1]} ${year}`;
  }
  return style.replace("dd", date).replace("mm", month).replace("yyyy", year);
}

/** The day that is `count` working days after `day`. */
export function addWorkingDays(day: string, count: number): string {
  let timeMs = Date.parse(`${day}T00:00:00Z`);
  for (let left = count; left > 0; ) {
    timeMs += 86_400_000;
    const weekday = new Date(timeMs).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left--;
  }
  return new Date(timeMs).toISOString().slice(0, 10);
}
