/** Words that say whether a security was bought or sold, folded, by language. */
export const BUY_WORDS: Readonly<Record<string, string>> = {
  de: "kauf, kaufe, gekauft, kaufe, kaufauftrag, wertpapierkauf, ankauf, kaufabrechnung, zeichnung, ausgabe, bezug, erwerb, sparplan, fondszeichnung, einmalanlage, neuanlage, wir kauften, sie kauften, fondskauf, aktienkauf, ihr kauf, neuzeichnung, fondsausgabe, *kauf, kauforder, sparplanausfuhrung, *sparplan, einkauf, kaufen, kauft, sparplan*, sparrate, sparbeitrag",
  en: "buy, bought, purchase, purchases, purchased, you bought, you purchased, subscription, subscribe, bot, buys, we have bought, investment plan, acquired, savings plan, saving plan, recurring investment, regular investment, auto invest, buy to open, buy to cover, buying, purchasing, application for units, contribution invested",
  fr: "achat, achete, achats, souscription, acquisition, souscriptions, vous avez achete, achat comptant, acheter, plan d investissement, plan d epargne, versement programme, investissement programme",
  it: "acquisto, compra, acquistato, sottoscrizione, acquisti, comprato, sottoscrizioni, acquistati, piano di accumulo, piano di investimento, versamento pac",
  es: "compra, comprado, suscripcion, compras, adquisicion, suscripciones, comprar, plan de inversion, plan de ahorro, aportacion periodica, aportacion, inversion periodica",
  nl: "aankoop, koop, gekocht, inschrijving, aankopen, kopen, aangekocht, beleggingsplan, spaarplan, periodiek beleggen, inleg, automatisch beleggen",
  pt: "compra, comprado, subscricao, compras, aquisicao, subscricoes, plano de poupanca, plano de investimento, reforco",
  da: "kob, kobt, koeb, tegning, kobet, fondskob, kobsnota, manedsopsparing, opsparing",
  sv: "kop, kopt, teckning, kopnota, fondkop, kopte, manadssparande, sparande, kopt antal",
  no: "kjop, kjopt, tegning, kjopsordre, kjope, spareavtale, manedlig sparing",
  fi: "osto, ostettu, merkinta, ostot, osto toimeksianto, ostit, kuukausisaasto",
  pl: "kupno, zakup, kupiono, nabycie, subskrypcja, kup, kupna, zakupu",
  cs: "nakup, koupe, nakoupeno, upis, kup, nakupu",
};

/** Distributions that buy new shares: a dividend's words around them say nothing against a trade. */
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
  de: "verkauf, verkauft, verkaufe, verkaufsauftrag, wertpapierverkauf, rucknahme, fondsverkauf, verkaufsabrechnung, *verkauf, wir verkauften, sie verkauften, anteilrucknahme, ihr verkauf, einlosung, ruckzahlung, tilgung, verkauforder, verkaufsorder, ruckgabe, verausserung, endfalligkeit, verkaufen, anteilsrucknahme, wertpapierfalligkeit, kapitalruckzahlung, falligkeit wertpapiere, fondsrucknahme, entnahmeplan, auszahlplan, auslosung, abfindung, barabfindung, spitzenregulierung, spitzenausgleich, spitzenverkauf, ruckkauf, teilruckzahlung, zwangsverkauf, knock out, liquidation, liquidationserlos, squeeze out, fraktionsverkauf, titelruckzahlung, endverfall, wertpapierruckzahlung, anleihetilgung, schlusstilgung, schlussruckzahlung",
  en: "sell, sold, sale, sales, you sold, redemption, redeemed, sld, we have sold, disposal, sells, maturity redemption, cash in lieu, tender offer, sell to close, sell short, sell to open, selling, repurchase, encashment, cash out, switch out, surrendered, redeem, redemption at maturity, final redemption, early redemption, bond maturity, fractional share sale",
  fr: "vente, vendu, ventes, rachat, cession, remboursement, vous avez vendu, rachats, vente comptant, vendre, amortissement, echeance finale, remboursement final, remboursement a l echeance, cessions",
  it: "vendita, venduto, rimborso, vendite, vende, riscatto, venduti, rimborsi, rimborso titoli, rimborso a scadenza, rimborso finale, estinzione",
  es: "venta, vendido, reembolso, ventas, enajenacion, reembolsos, vender, amortizacion, amortizacion final, rescate",
  nl: "verkoop, verkocht, terugbetaling, inkoop, verkopen, terugkoop, aflossing, lossing",
  pt: "venda, vendido, resgate, vendas, reembolso, resgates, alienacao",
  da: "salg, solgt, indlosning, salget, fondssalg, salgsnota, udtraekning",
  sv: "salj, salt, forsaljning, inlosen, saljnota, fondsalj, salja",
  no: "salg, solgt, innlosning, salgsordre, selge",
  fi: "myynti, myyty, lunastus, myynnit, myynti toimeksianto, myit",
  pl: "sprzedaz, sprzedano, umorzenie, zbycie, sprzedaj, odkup",
  cs: "prodej, prodano, odkup, zpetny odkup, prodej cp",
};

/** Reversals: the document takes an earlier trade back. */
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

/** Of these, the words that say a booking was undone, where others say that it never came to be. */
export const REVERSAL_WORDS =
  "storno, stornierung, *stornierung, storno*, stornierung*, *storno, stornobuchung, stornorechnung, stornoabrechnung, ruckabwicklung, ruckrechnung, gegenbuchung, reversal, reversed, extourne, contrepassation, stornato, retrocesion, tegenboeking, estorno, tilbageforsel, aterforing, tilbakeforing, stornovano";
