/** Words that say whether a security was bought or sold, folded, by language. */
export const BUY_WORDS: Readonly<Record<string, string>> = {
  de: "kauf, kaufe, gekauft, kaufe, kaufauftrag, wertpapierkauf, ankauf, kaufabrechnung, zeichnung, ausgabe, bezug, erwerb, sparplan, fondszeichnung, einmalanlage, neuanlage, wir kauften, sie kauften, fondskauf, aktienkauf, ihr kauf, neuzeichnung, fondsausgabe, *kauf, kauforder, sparplanausfuhrung, *sparplan, einkauf, kaufen, kauft, sparplan*, sparrate, sparbeitrag, kaufbestatigung, wertpapierkaufe, kaufanzeige, zukauf, nachkauf, fondsanlage, anteilkauf, anteilskauf, erworben",
  en: "buy, bought, purchase, purchases, purchased, you bought, you purchased, subscription, subscribe, bot, buys, we have bought, investment plan, acquired, savings plan, saving plan, recurring investment, regular investment, auto invest, buy to open, buy to cover, buying, purchasing, application for units, contribution invested, systematic investment, automatic investment, monthly investment, periodic investment, systematic purchase, automatic purchase, regular purchase, investment purchase, employee purchase, monthly savings, purchase of, bought note, purchase contract note, buy order, buy trade, bought for you, purchase note, buy transaction, acquisition, unit allotment, allotment",
  fr: "achat, achete, achats, souscription, acquisition, souscriptions, vous avez achete, achat comptant, acheter, plan d investissement, plan d epargne, versement programme, investissement programme, achat de titres, achat titres, ordre d achat, achetes, achetee, souscrit, souscrits",
  it: "acquisto, compra, acquistato, sottoscrizione, acquisti, comprato, sottoscrizioni, acquistati, piano di accumulo, piano di investimento, versamento pac, acquisto titoli, ordine di acquisto, acquistate, acquistata, sottoscritto, sottoscritte, compravendita acquisto",
  es: "compra, comprado, suscripcion, compras, adquisicion, suscripciones, comprar, plan de inversion, plan de ahorro, aportacion periodica, aportacion, inversion periodica, compra de valores, orden de compra, compradas, comprada, compra venta compra, suscrito, suscritas, adquirido, adquiridas",
  nl: "aankoop, koop, gekocht, inschrijving, aankopen, kopen, aangekocht, beleggingsplan, spaarplan, periodiek beleggen, inleg, automatisch beleggen, aankooporder, kooporder, aankoopnota, aankoopborderel, inschrijven, bijkoop, aangekochte",
  pt: "compra, comprado, subscricao, compras, aquisicao, subscricoes, plano de poupanca, plano de investimento, reforco, compra de titulos, ordem de compra, comprada, adquirido, compra em bolsa, c compra",
  da: "kob, kobt, koeb, tegning, kobet, fondskob, kobsnota, manedsopsparing, opsparing, kob af, kobsordre, kobte, kobshandel, kobsafregning, erhvervelse",
  sv: "kop, kopt, teckning, kopnota, fondkop, kopte, manadssparande, sparande, kopt antal, kop av, koporder, kopavrakning, kopta, kopt andelar, kopeavrakning, kopuppdrag, forvarv",
  no: "kjop, kjopt, tegning, kjopsordre, kjope, spareavtale, manedlig sparing, kjop av, kjopsnota, kjopte, kjopsoppdrag, kjopshandel, kjopsbekreftelse, erverv",
  fi: "osto, ostettu, merkinta, ostot, osto toimeksianto, ostit, kuukausisaasto, ostolaskelma, ostokauppa, ostotoimeksianto, ostovahvistus, ostettiin, ostanut, osakeosto, merkitty, rahastomerkinta",
  pl: "kupno, zakup, kupiono, nabycie, subskrypcja, kup, kupna, zakupu, nabycia, nabyto, kupuje, zakupiono, kupione, transakcja kupna, zlecenie kupna, kupilismy, zakupy, nabycie jednostek",
  cs: "nakup, koupe, nakoupeno, upis, kup, nakupu, nakoupeny, koupeno, nakupni, pokyn k nakupu, nakup cp, nakup cennych papiru, porizeni, koupi, upsani",
};

/**
 * Distributions that are reinvested in new shares: dividend words around them are not evidence against a
 * trade.
 */
export const REINVEST_WORDS: Readonly<Record<string, string>> = {
  de: "wiederanlage*, *wiederanlage, wiederangelegt, wiederangelegter betrag, reinvestition, wiederanlage, wiederanlageplan, abrechnungsbetrag thesaurierung",
  en: "reinvestment, dividend reinvestment, reinvested, reinvest, dividend reinvested, amount reinvested, drip",
  fr: "reinvestissement, reinvestie, reinvesti, reinvestis",
  it: "reinvestimento, reinvestiti, reinvestito",
  es: "reinversion, reinvertido",
  nl: "herbelegging, herbelegd, herinvestering",
  pt: "reinvestimento, reinvestido",
  da: "geninvestering, geninvesteret",
  sv: "aterinvestering, aterinvesterad",
  no: "reinvestering, reinvestert",
  fi: "uudelleensijoitus",
  pl: "reinwestycja",
  cs: "reinvestice",
};

export const SELL_WORDS: Readonly<Record<string, string>> = {
  de: "verkauf, verkauft, verkaufe, verkaufsauftrag, wertpapierverkauf, rucknahme, fondsverkauf, verkaufsabrechnung, *verkauf, wir verkauften, sie verkauften, anteilrucknahme, ihr verkauf, einlosung, ruckzahlung, tilgung, verkauforder, verkaufsorder, ruckgabe, verausserung, endfalligkeit, verkaufen, anteilsrucknahme, wertpapierfalligkeit, kapitalruckzahlung, falligkeit wertpapiere, fondsrucknahme, entnahmeplan, auszahlplan, auslosung, abfindung, barabfindung, spitzenregulierung, spitzenausgleich, spitzenverkauf, ruckkauf, teilruckzahlung, zwangsverkauf, knock out, liquidation, liquidationserlos, squeeze out, fraktionsverkauf, titelruckzahlung, endverfall, wertpapierruckzahlung, anleihetilgung, schlusstilgung, schlussruckzahlung, verkaufsbestatigung, wertpapierverkaufe, verkaufsanzeige, teilverkauf, anteilverkauf, anteilsverkauf, veraussert",
  en: "sell, sold, sale, sales, you sold, redemption, redeemed, sld, we have sold, disposal, sells, maturity redemption, cash in lieu, tender offer, sell to close, sell short, sell to open, selling, repurchase, encashment, cash out, switch out, surrendered, redeem, redemption at maturity, final redemption, early redemption, bond maturity, fractional share sale, sale of, sold note, sale contract note, sell order, sell trade, sold for you, sale note, sell transaction, units redeemed, withdrawal of units, liquidated",
  fr: "vente, vendu, ventes, rachat, cession, remboursement, vous avez vendu, rachats, vente comptant, vendre, amortissement, echeance finale, remboursement final, remboursement a l echeance, cessions, vente de titres, vente titres, ordre de vente, vendus, vendue, rachat de parts, cede, cedes",
  it: "vendita, venduto, rimborso, vendite, vende, riscatto, venduti, rimborsi, rimborso titoli, rimborso a scadenza, rimborso finale, estinzione, vendita titoli, ordine di vendita, vendute, venduta, compravendita vendita, rimborsato, cessione, cedute",
  es: "venta, vendido, reembolso, ventas, enajenacion, reembolsos, vender, amortizacion, amortizacion final, rescate, venta de valores, orden de venta, vendidas, vendida, compra venta venta, reembolsado, enajenado, transmision",
  nl: "verkoop, verkocht, terugbetaling, inkoop, verkopen, terugkoop, aflossing, lossing, verkooporder, verkoopnota, verkoopborderel, verkochte, uitstap, terugbetaald",
  pt: "venda, vendido, resgate, vendas, reembolso, resgates, alienacao, venda de titulos, ordem de venda, vendida, resgatado, venda em bolsa, v venda, resgate de ups",
  da: "salg, solgt, indlosning, salget, fondssalg, salgsnota, udtraekning, salg af, salgsordre, solgte, salgshandel, salgsafregning, afhaendelse",
  sv: "salj, salt, forsaljning, inlosen, saljnota, fondsalj, salja, forsaljning av, saljorder, saljavrakning, salda, salt andelar, saljuppdrag, avyttring, inlost",
  no: "salg, solgt, innlosning, salgsordre, selge, salg av, salgsnota, solgte, salgsoppdrag, salgshandel, salgsbekreftelse, avhendelse, innlost",
  fi: "myynti, myyty, lunastus, myynnit, myynti toimeksianto, myit, myyntilaskelma, myyntikauppa, myyntitoimeksianto, myyntivahvistus, myytiin, myynyt, osakemyynti, lunastettu, rahastolunastus",
  pl: "sprzedaz, sprzedano, umorzenie, zbycie, sprzedaj, odkup, sprzedazy, zbycia, zbyto, sprzedaje, transakcja sprzedazy, zlecenie sprzedazy, sprzedalismy, umorzono, umorzenie jednostek",
  cs: "prodej, prodano, odkup, zpetny odkup, prodej cp, prodany, prodejni, pokyn k prodeji, prodeje, prodej cennych papiru, odprodej, prodali, zpetneho odkupu, odkupeno",
};

/** Reversals: the document cancels an earlier trade. */
export const CANCEL_WORDS: Readonly<Record<string, string>> = {
  de: "storno, stornierung, *stornierung, storno*, stornierung*, ruckrechnung, gegenbuchung, stornorechnung, storniert, stornoabrechnung, ruckabwicklung, *storno, stornobuchung, stornierte, annulliert, annullierung, annullation, ruckbuchung, ruckgangigmachung, aufhebung, wird aufgehoben, ungultig",
  en: "cancellation, cancelled trade, trade cancellation, reversal, cancelled, canceled, reversed, cancel, cancelled contract note, contract note cancelled, busted trade, trade bust, cancelled confirmation, cancel confirmation, voided, void, rescinded, reversed trade, trade reversal, cancellation note, cancelling, cancelation",
  fr: "annulation, annule, extourne, contrepassation, annulee, annulations, annules, contre passation, contrepasse, contrepassee",
  it: "storno, annullamento, annullato, stornato, annullata, annullati, rettifica per annullamento",
  es: "anulacion, anulado, cancelacion, retrocesion, anulada, anulaciones, anulados, retrocedida, extorno, extornado",
  nl: "annulering, geannuleerd, storno, annulatie, tegenboeking, geannuleerde, annuleringen, gestorneerd",
  pt: "anulacao, estorno, cancelamento, anulado",
  da: "tilbageforsel, annulleret, annullering, storno, makulering",
  sv: "makulering, makulerad, annullering, aterforing",
  no: "kansellering, kansellert, makulert, annullering, tilbakeforing",
  fi: "peruutus, mitatointi, peruttu",
  pl: "anulowanie, storno, anulowane",
  cs: "storno, zruseni, stornovano",
};

/**
 * Those of the cancel words that say a booking was reversed; the others say that the trade never came about.
 */
export const REVERSAL_WORDS =
  "storno, stornierung, *stornierung, storno*, stornierung*, *storno, stornobuchung, stornorechnung, stornoabrechnung, ruckabwicklung, ruckrechnung, gegenbuchung, reversal, reversed, extourne, contrepassation, stornato, retrocesion, tegenboeking, estorno, tilbageforsel, aterforing, tilbakeforing, stornovano";
