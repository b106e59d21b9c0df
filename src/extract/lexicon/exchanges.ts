/** Names of exchanges, and words in capitals that are not tickers. */

/** Folded names and codes that appear before or after a ticker. */
export const EXCHANGES: ReadonlySet<string> = new Set(
  (
    "nasdaq nyse amex arca bats otc otcmkts lse lon aim asx ax tsx tsxv to cse neo nzx nz sgx si hkex hkg hk sehk nse bse ns bo jse tse " +
    "epa ams ebr fra etr xetra ger bit mil bme mce sto cph osl hel wse pra six swx vie us uk gb de fr nl it es ca au sg jp ch " +
    "xnas xnys arcx xlon xasx xtse xses xhkg xetr xfra xpar xams xbru xlis xmil xmad xsto xcse xosl xhel xwar xpra xswx xwbo xtks xnse xbom"
  ).split(" "),
);

/** Cryptocurrencies that trade like securities; they have no ISIN. */
export const COINS: ReadonlySet<string> = new Set(
  "BTC ETH LTC XRP BCH ADA DOT SOL DOGE LINK UNI AVAX MATIC POL ATOM ALGO XLM EOS XTZ TRX ETC AAVE SHIB NEAR FIL ICP VET SAND MANA AXS USDT USDC DAI BNB BSV DASH ZEC XMR IOTA NEO GRT MKR COMP SNX CRV ENJ CHZ BAT ZRX OMG APE LDO ARB OP TON PEPE FTM HBAR INJ KSM RUNE SUSHI YFI".split(
    " ",
  ),
);

export const NOT_TICKERS: ReadonlySet<string> = new Set(
  (
    "ISIN WKN SEDOL CUSIP FIGI LEI IBAN BIC SWIFT VAT GST HST PST TVA IVA MWST UST TTF FTT STT SEC TAF FINRA SIPC CIPF FCA ABN ACN AFSL HIN PID " +
    "BUY SELL PUT CALL BOT SLD OPEN CLOSE LIMIT MARKET DAY GTC LMT MKT STP ORDER ORD DATE TIME TYPE SIDE ID NO NR REF QTY PRICE UNIT UNITS PER NET TOTAL FEE FEES TAX CASH MARGIN " +
    "ETF ETC ETN ETP UCITS OEIC SICAV FCP ADR GDR REIT PLC INC LTD LLC LP CORP CO AG SA SE NV SPA ASA AB OYJ OY AS KGAA GMBH BV SARL SRL COM CL CLASS CAP STK SHS REG NPV DIST ACC INC. " +
    "THE AND FOR OF TO IN ON AT BY IS AS OR WE YOU YOUR OUR NOT NEW CET CEST UTC GMT EST EDT PST PDT AEST AEDT IST JST HKT BST AM PM " +
    "MR MRS MS DR ISA SIPP TFSA RRSP RESP IRA ROTH PEA PAGE USA UK EU US UN DE FR ES IT NL PT CH AT BE DK NO FI PL CZ SG HK AU CA JP GB IE LU " +
    "JAN FEB MAR APR MAY JUN JUL AUG SEP SEPT OCT NOV DEC MON TUE WED THU FRI SAT SUN BRK DIV INT ACH WIRE DRIP ESPP RSU EPF PO BOX TOD JTWROS NYSE NASDAQ"
  ).split(" "),
);
