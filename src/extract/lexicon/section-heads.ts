/**
 * Words that head a part of a statement, folded, by language. Alone on a line they say what the rows below
 * are; inside a sentence or a document's title they say nothing.
 */
import type { NonTrade } from "./document-types.ts";

export const SECTION_HEADS: Readonly<
  Partial<Record<NonTrade | "trade", Readonly<Record<string, string>>>>
> = {
  trade: {
    de: "handel, handelsgeschafte, ausgefuhrte orders, ausfuhrungen, kaufe und verkaufe, kaufe verkaufe, wertpapiergeschafte",
    en: "trades, executed trades, trade activity, trading activity, executions, purchases and sales, purchases sales, securities bought and sold, trades executed, buys and sells",
    fr: "achats et ventes, operations de bourse, transactions executees",
    it: "acquisti e vendite, compravendite, operazioni eseguite",
    es: "compras y ventas, operaciones ejecutadas, compraventas",
    nl: "aankopen en verkopen, uitgevoerde orders, aan en verkopen",
    pt: "compras e vendas, ordens executadas",
    da: "handler, kob og salg",
    sv: "affarer, kop och forsaljningar, avslut",
    no: "handler, kjop og salg",
    fi: "kaupat, ostot ja myynnit",
    pl: "transakcje kupna i sprzedazy",
    cs: "obchody, nakupy a prodeje",
  },
  dividend: {
    de: "ertrage, ertragnisse, ausschuttungen und dividenden, zinsen und dividenden, dividenden und zinsen, dividenden und ertrage",
    en: "income, income received, dividends and interest, dividends and distributions, interest and dividends, distributions, income activity, dividend income",
    fr: "revenus, revenus percus, coupons et dividendes, dividendes et coupons, produits",
    it: "redditi, proventi, cedole e dividendi, dividendi e cedole, incassi",
    es: "rendimientos, dividendos y cupones, ingresos, abonos",
    nl: "inkomsten, opbrengsten, dividenden en coupons",
    pt: "rendimentos, dividendos e juros",
    da: "afkast, udbytter og renter, indtaegter",
    sv: "avkastning, utdelningar och rantor, intakter",
    no: "avkastning, utbytte og renter",
    fi: "tuotot, osingot ja korot",
    pl: "dochody, dywidendy i odsetki",
    cs: "vynosy, dividendy a uroky",
  },
  cash: {
    de: "gebuhren, entgelte, kosten, ein und auszahlungen, zahlungen, geldbewegungen, steuern, gebuhren und steuern",
    en: "fees, charges, fees and charges, deposits and withdrawals, cash movements, cash transactions, other fees, taxes, money movements",
    fr: "frais, frais et commissions, versements et retraits, mouvements d especes, taxes",
    it: "commissioni, spese, versamenti e prelievi, imposte",
    es: "comisiones, gastos, ingresos y retiradas, impuestos",
    nl: "kosten, stortingen en opnames, belastingen",
    pt: "comissoes, despesas, impostos",
    da: "gebyrer, omkostninger, skat",
    sv: "avgifter, kostnader, skatter",
    no: "gebyrer, kostnader",
    fi: "kulut, palkkiot, verot",
    pl: "oplaty, prowizje, podatki",
    cs: "poplatky, dane",
  },
  // Rows of every kind follow: the previous heading no longer applies to them.
  "account-statement": {
    de: "transaktionen, bewegungen, buchungen, transaktionsubersicht, wertpapierbewegungen, depotbewegungen, wertpapierumsatze, depotumsatze, geschaftsvorfalle",
    en: "transactions, transaction details, activity, account activity, transaction list, your transactions, activity detail, transaction activity, account transactions, securities transactions",
    fr: "operations, mouvements, transactions, detail des operations, vos operations, mouvements titres",
    it: "operazioni, movimenti, movimenti titoli, transazioni, dettaglio movimenti, movimenti del periodo",
    es: "operaciones, movimientos, transacciones, movimientos de valores, detalle de movimientos",
    nl: "transacties, mutaties, bewegingen, effectentransacties",
    pt: "operacoes, movimentos, transacoes",
    da: "transaktioner, bevaegelser, posteringer",
    sv: "transaktioner, handelser",
    no: "transaksjoner, bevegelser",
    fi: "tapahtumat, tilitapahtumat",
    pl: "transakcje, operacje, historia operacji",
    cs: "transakce, pohyby, operace",
  },
};
