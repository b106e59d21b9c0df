/** Security identifiers and their check digits. */

function digitValue(char: string): number {
  const code = char.charCodeAt(0);
  return code <= 57 ? code - 48 : code - 55;
}

/** Checks by ISO 6166: letters become two digits, followed by the Luhn sum. */
export function isIsin(text: string): boolean {
  if (!looksLikeIsin(text)) return false;
  let digits = "";
  for (const char of text) digits += String(digitValue(char));
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let value = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
  }
  return sum % 10 === 0;
}

/** Two letters, nine letters or digits, one digit. */
export function looksLikeIsin(text: string): boolean {
  return (
    /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(text) &&
    /[0-9]{1}/.test(text.slice(2, 11)) &&
    ISIN_PREFIXES.has(text.slice(0, 2))
  );
}

const ISIN_PREFIXES = new Set(
  (
    "AD AE AF AG AI AL AM AN AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CS CU CV CW CX CY CZ " +
    "DE DJ DK DM DO DZ EC EE EG ER ES ET EU FI FJ FK FM FO FR GA GB GD GE GG GH GI GL GM GN GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ " +
    "OM PA PE PF PG PH PK PL PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR ST SV SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
    "UA UG US UY UZ VA VC VE VG VI VN VU WF WS XA XB XC XD XF XK XS YE ZA ZM ZW"
  ).split(" "),
);

/** CUSIP, modulus 10 double add double. */
export function isCusip(text: string): boolean {
  if (!/^[0-9A-Z]{8}[0-9]$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 8; i++) {
    let value = digitValue(text[i]!);
    if (i % 2 === 1) value *= 2;
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10 === Number(text[8]);
}

const SEDOL_WEIGHTS = [1, 3, 1, 7, 3, 9];

export function isSedol(text: string): boolean {
  if (!/^[0-9B-DF-HJ-NP-TV-Z]{6}[0-9]$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 6; i++) sum += digitValue(text[i]!) * SEDOL_WEIGHTS[i]!;
  return (10 - (sum % 10)) % 10 === Number(text[6]);
}

/** WKNs (German securities numbers) have no check digit; old ones are six digits, new ones mix letters. */
export function isWkn(text: string): boolean {
  return /^[0-9A-Z]{6}$/.test(text) && /[0-9]/.test(text);
}

export function isValor(text: string): boolean {
  return /^[0-9]{5,9}$/.test(text);
}

/** The national number inside an ISIN: the WKN for DE, the Valor for CH and LI, the CUSIP for US and CA. */
export function nationalNumber(isin: string): {
  wkn?: string;
  valor?: string;
  cusip?: string;
  sedol?: string;
} {
  const body = isin.slice(2, 11);
  switch (isin.slice(0, 2)) {
    case "DE":
      return body.startsWith("000") ? { wkn: body.slice(3) } : {};
    case "CH":
    case "LI":
      return { valor: body.replace(/^0+/, "") };
    case "US":
    case "CA":
      return { cusip: body };
    case "GB":
      return body.startsWith("00") ? { sedol: body.slice(2) } : {};
    default:
      return {};
  }
}
