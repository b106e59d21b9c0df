/** An identifier or a name of a security, and where it is printed. */
export interface SecurityCode {
  text: string;
  line: number;
  start: number;
  end: number;
  score: number;
}

export interface SecurityFound {
  isin: SecurityCode | null;
  wkn: SecurityCode | null;
  valor: SecurityCode | null;
  sedol: SecurityCode | null;
  cusip: SecurityCode | null;
  ticker: SecurityCode | null;
  name: SecurityCode | null;
}
