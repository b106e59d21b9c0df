/** Invented companies, funds and bonds with valid check digits. */
export interface Security {
  name: string;
  isin: string;
  /** The country's own number inside the ISIN: WKN, Valor, SEDOL or CUSIP, by country. */
  coreId: string;
  ticker: string;
  currency: string;
  /** Trades are invented around this price, in `currency`; percent for a bond. */
  price: number;
  type: "share" | "fund" | "bond";
}

type Row = [
  name: string,
  country: string,
  core: string,
  ticker: string,
  price: number,
  type?: Security["type"],
  currency?: string,
];

const ROWS: Row[] = [
  ["Nordlicht Energie AG", "DE", "ZNL4E1", "NLE", 46.35],
  ["Kranich Maschinenbau SE", "DE", "ZKM7H2", "KMB", 182.4],
  ["Havelwerk Chemie AG", "DE", "ZHW3C9", "HWC", 23.18],
  ["Isarblick Immobilien AG", "DE", "ZIB5M4", "ISB", 9.745],
  ["Fennimore Foods plc", "GB", "BZ4F7K", "FNF", 8.234],
  ["Greywater Utilities plc", "GB", "BZ9G2W", "GWU", 11.92],
  ["Pellworth Mining plc", "GB", "BZ1P8M", "PWM", 3.4175],
  ["Cobalt Harbor Software Inc.", "US", "Z48H17107", "CHSW", 214.57],
  ["Bluestem Robotics Corp.", "US", "Z0937R108", "BSRC", 88.12],
  ["Tallgrass Biologics Inc.", "US", "Z8T41K105", "TGBX", 37.905],
  ["Prairie Lantern Holdings", "US", "Z6P20L109", "PLNH", 512.3],
  ["Etoile du Rhône SA", "FR", "ZETR0192", "EDR", 71.28],
  ["Ateliers Brumaire SA", "FR", "ZBRU0447", "ABR", 128.6],
  ["Officine Valsesia SpA", "IT", "ZVAL0358", "OVS", 14.926],
  ["Molino Ginepro SpA", "IT", "ZMGI0713", "MGI", 5.618],
  ["Hierros del Segura SA", "ES", "ZHSE0261", "HDS", 21.44],
  ["Tulpenrade Logistics NV", "NL", "ZTUL0825", "TPL", 63.02],
  ["Alpstein Instrumente AG", "CH", "29170446", "ALPS", 338.5],
  ["Rhonetal Pharma AG", "CH", "31882905", "RHP", 97.15],
  ["Fjordlys Shipping A/S", "DK", "ZFJO0634", "FJLS", 412.8],
  ["Storskogen Papir AB", "SE", "ZSKP0519", "SKPB", 156.45],
  ["Ribeira Azul SGPS SA", "PT", "ZRIB0270", "RAZ", 4.372],
  ["Meridian World Equity UCITS ETF", "IE", "ZMWE0481", "MWEQ", 92.647, "fund"],
  ["Meridian Europe Small Cap UCITS ETF", "IE", "ZMES0552", "MESC", 48.115, "fund"],
  ["Meridian World Equity UCITS ETF GBP", "IE", "ZMWG0489", "MWEG", 79.315, "fund", "GBP"],
  ["Meridian World Equity UCITS ETF USD", "IE", "ZMWU0493", "MWEU", 101.42, "fund", "USD"],
  ["Meridian World Equity UCITS ETF CHF", "IE", "ZMWC0497", "MWEC", 87.06, "fund", "CHF"],
  ["Parallax Nordic Index Fund DKK", "LU", "ZPND0841", "PNID", 688.4, "fund", "DKK"],
  ["Parallax Nordic Index Fund SEK", "LU", "ZPNS0845", "PNIS", 1042.75, "fund", "SEK"],
  ["Parallax Global Aggregate Fund", "LU", "ZPGA0836", "PGAF", 113.28, "fund"],
  ["2.75 % Kranich Maschinenbau 2031", "DE", "ZKB2R7", "KMB31", 98.42, "bond"],
  ["3.125 % Republic of Arvenland 2034", "LU", "ZARV3134", "ARV34", 101.655, "bond"],
  ["4.50 % Cobalt Harbor Notes 2029", "US", "Z48H17BC4", "CHSW29", 99.875, "bond"],
];

const CURRENCIES: Record<string, string> = {
  GB: "GBP",
  US: "USD",
  CH: "CHF",
  DK: "DKK",
  SE: "SEK",
};

export const SECURITIES: readonly Security[] = ROWS.map(toSecurity);

function toSecurity([name, country, core, ticker, price, type = "share", currency]: Row): Security {
  const coreId = coreIdOf(country, core);
  const isin = withIsinCheck(country + coreId.padStart(9, "0").slice(-9));
  return {
    name,
    isin,
    coreId,
    ticker,
    currency: currency ?? CURRENCIES[country] ?? "EUR",
    price,
    type,
  };
}

/** The number under which a broker that prints `label` knows the security; null if it has none. */
export function localIdFor(security: Security, label: string): string | null {
  const country = security.isin.slice(0, 2);
  const digits = [...security.isin.slice(2, 11)].map((char) => digitOf(char) % 10).join("");
  if (label === "WKN") return country === "DE" ? security.coreId : security.isin.slice(5, 11);
  if (label === "Valor") return country === "CH" ? security.coreId : digits.replace(/^0+/u, "");
  if (label === "CUSIP") return country === "US" ? security.coreId : null;
  if (label !== "SEDOL") return digits.slice(-6);
  if (country === "GB") return security.coreId;
  const core = `BZ${digits.slice(-4)}`;
  return core + sedolCheck(core);
}

function coreIdOf(country: string, core: string): string {
  if (country === "GB") return core + sedolCheck(core);
  if (country === "US") return core.slice(0, 8) + cusipCheck(core.slice(0, 8));
  return core;
}

function digitOf(char: string): number {
  return Number.parseInt(char, 36);
}

/** Letters count as two digits; every second digit from the right is doubled. */
function withIsinCheck(body: string): string {
  const digits = [...body].map(digitOf).join("");
  let sum = 0;
  [...digits].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  });
  return body + ((10 - (sum % 10)) % 10);
}

function sedolCheck(core: string): number {
  const weights = [1, 3, 1, 7, 3, 9];
  const sum = [...core].reduce((total, char, index) => total + digitOf(char) * weights[index]!, 0);
  return (10 - (sum % 10)) % 10;
}

function cusipCheck(core: string): number {
  let sum = 0;
  [...core].forEach((char, index) => {
    const value = digitOf(char) * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  });
  return (10 - (sum % 10)) % 10;
}
