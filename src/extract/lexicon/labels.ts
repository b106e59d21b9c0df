/**
 * What the printed words around a value say about it, by concept and language. Phrases are separated by
 * commas and folded before use; a star stands for any letters of a word. "weak" words name the concept only
 * if nothing better is near.
 */

export type Concept =
  | "quantity"
  | "price"
  | "gross"
  | "net"
  | "debit"
  | "credit"
  | "subtotal"
  | "fee"
  | "tax"
  | "interest"
  | "fx"
  | "multiplier"
  | "tradeDate"
  | "settleDate"
  | "docDate"
  | "isin"
  | "wkn"
  | "valor"
  | "cusip"
  | "sedol"
  | "ticker"
  | "name"
  | "reference"
  | "account"
  | "holder"
  | "noise";

export interface ConceptWords {
  strong: Readonly<Record<string, string>>;
  /** Names the concept if no stronger word does. */
  fair?: Readonly<Record<string, string>>;
  weak?: Readonly<Record<string, string>>;
}

export const LABELS: Readonly<Record<Concept, ConceptWords>> = {
  quantity: {
    strong: {
      de: "stuck, stk, st, stucke, stucknominale, stuckzahl, anzahl, anzahl anteile, anzahl stucke, anzahl betrag, menge, nennwert, nominal, nominale, nominalbetrag, nennbetrag, anteile, anteil stuck, anteilumsatz, umsatz anteile, umsatz in anteilen, umsatz stuck, nominal stuck, stuck nominal, stuck nominale, ausgefuhrt, anteile stuck, einheiten, gehandelte stuck, ausgefuhrte stuck, ausgefuhrte menge, anteil, stuck anteile, anteilszahl, nominale stuck, stuckzahl nominale, nominalwert, gekaufte stuck, verkaufte stuck, gekaufte anteile, verkaufte anteile, anteile kauf, anzahl wertpapiere, anzahl aktien, anzahl der anteile, anzahl der stucke, stuck bzw nominale, volumen stuck, kontrakte, anzahl kontrakte, nominalvolumen, betrag nominal, zugang stuck, abgang stuck, ausmass, gehandelte menge, ausgefuhrte anzahl, teilausfuhrung stuck",
      en: "quantity, qty, unit, units at price, quantity units, shares units, executed shares, filled qty, order quantity, total quantity, number of shares, no of shares, shares, units, no of units, number of units, share quantity, shares sold, shares purchased, shares bought, quantity filled, executed quantity, filled quantity, face value, nominal value, nominal amount, volume, share amount, amount of shares, quantite, no of securities, number of securities, stock quantity, units bought, units sold, units purchased, units allotted, units redeemed, units issued, shares traded, quantity traded, traded quantity, trade quantity, qty traded, quantity executed, qty executed, quantity bought, quantity sold, fill quantity, filled, total shares, total units, par value, par amount, face amount, original face, principal quantity, contracts, number of contracts, no of contracts, holding traded, amount of units, share count",
      fr: "quantite, nombre de titres, nombre de parts, nombre, nombre d actions, quantite negociee, quantite executee, nominal, parts, titres, actions, qte, nombre parts, nb titres, nb de titres, nb parts, nb de parts, nb d actions, nombre de part, nombre d unites, nombre de valeurs, quantite traitee, quantite achetee, quantite vendue, valeur nominale, montant nominal, nbre de titres, nbre titres, nombre de contrats, quantite nominal",
      it: "quantita, numero, numero titoli, numero azioni, quantita nominale, valore nominale, nominale, quote, numero quote, n quote, q ta, quantita eseguita, qta, capitale nominale, q ta eseguita, quantita titoli, n titoli, n azioni, nr titoli, nr azioni, nr quote, numero di azioni, numero di quote, numero di titoli, quantita valore nominale, qta eseguita, quantita negoziata, quantita acquistata, quantita venduta, quantita val nominale, numero contratti",
      es: "cantidad, n titulos, numero de titulos, titulos, num titulos, participaciones, numero de participaciones, n participaciones, nominal, acciones, num valores, numero de acciones, valores, efectos, n de titulos, no de titulos, nro titulos, numero titulos, num acciones, n de acciones, n acciones, n valores, n de valores, numero de valores, numero valores, num participaciones, numero participaciones, cantidad ejecutada, titulos ejecutados, valor nominal, importe nominal, nominal efectivo, n contratos, unidades, cantidad negociada",
      nl: "aantal, hoeveelheid, stuks, aantal stuks, nominaal, nominale waarde, aantal effecten, aantal participaties, participaties, aandelen, aantal aandelen, aantal nominaal, aantal nominale waarde, nominaal bedrag, aantal deelnemingsrechten, deelnemingsrechten, aantal rechten, uitgevoerd aantal, aantal uitgevoerd, aantal contracten, aantal eenheden, eenheden",
      pt: "quantidade, qtd, qtde, numero de titulos, titulos, unidades de participacao, n de acoes, quantidade executada, ups, qtd executada, quantidade negociada, n de titulos, no de titulos, numero de acoes, n acoes, numero de ups, n de ups, qt, quant, valor nominal, quantidade de titulos, quantidade nominal, n unidades de participacao",
      da: "antal, stk, styk, antal stk, nominel, nominelt, handlet antal, kursvaerdi antal, antal nominel, palydende, beholdning, antal styk, antal andele, andele, handlet maengde, maengde, mangde, stykantal, nominel vaerdi, nominel vardi, nominelt belob, antal beviser, stk nominel",
      sv: "antal, st, antal andelar, andelar, nominellt, nominellt belopp, antal nominellt, volym, antal aktier, antal st, antal fondandelar, fondandelar, antal vardepapper, kopt antal, salt antal, nominellt varde, nominell volym, antal volym, antal kontrakt, kvantitet",
      no: "antall, antall andeler, andeler, palydende, antall aksjer, volum, antall stk, antall verdipapirer, antall kontrakter, nominell verdi, kvantum, antall enheter, palydende verdi",
      fi: "maara, kpl, kappalemaara, kappaletta, nimellisarvo, osuudet, osuuksien maara, lkm, maara kpl, kappaleet, osuutta, rahasto osuudet, osuuksia, nimellismaara, nimellisarvo yhteensa, kaupan maara, osuusmaara, osakkeiden maara, lukumaara, toteutunut maara",
      pl: "ilosc, liczba, liczba sztuk, liczba akcji, sztuk, szt, wolumen, liczba jednostek, wartosc nominalna, liczba papierow, ilosc sztuk, liczba instrumentow, liczba papierow wartosciowych, liczba jednostek uczestnictwa, liczba certyfikatow, ilosc papierow, ilosc akcji, wolumen transakcji, liczba zrealizowana, liczba jedn, wartosc nom",
      cs: "mnozstvi, pocet, pocet kusu, kusu, ks, objem v ks, pocet cp, jmenovita hodnota, nominalni hodnota, pocet akcii, mnozstvi ks, pocet cennych papiru, pocet cp ks, pocet podilovych listu, pocet podilovych jednotek, pocet jednotek, objem ks, realizovane mnozstvi, nominalni objem",
    },
    weak: {
      de: "umsatz, ordervolumen, order",
      en: "no, number, pcs, lot, lots, pieces",
      fr: "pcs",
    },
  },
  price: {
    strong: {
      de: "kurs, preis, festpreis, festpreis pro stuck, preis pro stuck, zum kurs, zum kurs von, kurs in, ausfuhrungskurs, ausfuhrungspreis, *kurs, kurs kaufpreis, preis pro anteil, preis je anteil, kaufpreis je anteil, anteilpreis, *preis von, zum preis von, stuckpreis, trans preis, transaktionspreis, handelspreis, ausgabepreis, rucknahmepreis, anteilspreis, abrechnungskurs, abrechnungspreis, fondspreis, kurs preis, preis kurs, preis stuck, kurs stuck, preis je stuck, durchschnittskurs, mischkurs, preis vom, nettoinventarwert, nav, bezugspreis, emissionspreis, wert pro anteil, kurs je stuck, einzelpreis, kurs vom, kurs pro stuck, kurs je anteil, kurs pro anteil, preis pro einheit, preis je einheit, stuckkurs, ausgefuhrter kurs, ausgefuhrter preis, kaufkurs, verkaufskurs, kaufpreis pro stuck, verkaufspreis pro stuck, gesamtkurs, orderkurs, durchschnittspreis, mittelkurs, inventarwert, anteilwert, wert je anteil, tageskurs",
      en: "price, unit price, price per share, share price, execution price, effective price, average price, avg price, trade price, price per unit, executed price, dealing price, t price, price in, sale price, purchase price, price unit, market price, strike price, fill price, avg execution price, dealt price, deal price, traded price, contract price, price paid, price each, unit cost, cost per share, offer price, bid price, nav per unit, nav price, net asset value, average unit price, average traded price, weighted average price, avg unit price, avg traded price, avg fill price, avg price per share, price achieved, execution rate, buy price, sell price, buying price, selling price, fund price, dealing price per share, clean price, price per security, px, unit value",
      fr: "cours, prix, prix unitaire, cours d execution, prix d execution, cours execute, valeur liquidative, vl, cours unitaire, prix par part, prix moyen, cours moyen, prix net, prix moyen d execution, cours moyen execute, cours moyen d execution, cours negocie, cours d achat, cours de vente, prix d achat unitaire, prix par action, prix par titre, valeur de la part, valeur unitaire, cours net, cours de negociation, prix de souscription, prix de rachat, cours brut, vl appliquee",
      it: "prezzo, prezzo unitario, prezzo di esecuzione, prezzo eseguito, prezzo medio, corso, corso secco, valore quota, nav, prezzo di mercato, prezzo operazione, prezzo medio di esecuzione, prezzo medio eseguito, prezzo medio ponderato, prezzo per azione, prezzo per quota, valore della quota, valore unitario, valore unitario quota, prezzo di negoziazione, prezzo di acquisto, prezzo di vendita, prezzo titolo, prezzo tel quel, prezzo secco, prezzo negoziato, corso di esecuzione",
      es: "precio, cambio, precio unitario, precio de ejecucion, cotizacion, precio medio, precio neto, valor liquidativo, precio ejecucion, precio titulo, precio bruto, cambio medio, precio por accion, precio por titulo, precio de compra, precio de venta, precio compra, precio venta, precio medio de ejecucion, precio medio ejecutado, cambio de ejecucion, cambio ejecucion, precio por participacion, valor de la participacion, precio de la operacion, cotizacion media, precio unit",
      nl: "koers, prijs, uitvoeringskoers, uitvoeringsprijs, prijs per, koers per, koers per stuk, gemiddelde koers, netto inventariswaarde, transactiekoers, prijs per stuk, gemiddelde uitvoeringskoers, gemiddelde prijs, koers per aandeel, prijs per aandeel, prijs per eenheid, inventariswaarde, intrinsieke waarde, aankoopkoers, verkoopkoers, aankoopprijs, verkoopprijs, nettokoers, netto koers, brutokoers, bruto koers",
      pt: "preco, preco unitario, cotacao, preco medio, preco de execucao, preco executado, valor da up, preco cotacao, preco por acao, preco por unidade, preco medio ponderado, preco de compra, preco de venda, preco negociado, preco ajuste, cotacao de execucao, valor da unidade de participacao, valor unitario, cotacao unitaria, preco unit",
      da: "kurs, handelskurs, pris, gennemsnitskurs, enhedspris, kurs pr stk, gns kurs, gennemsnitlig kurs, gennemsnitspris, pris pr stk, pris pr styk, kurs pr andel, indre vaerdi, indre vardi, afregningskurs, handelspris, kobskurs, salgskurs, kurs dkk",
      sv: "kurs, pris, avslutskurs, genomsnittskurs, pris per andel, handelskurs, kurs per andel, nav kurs, snittkurs, snittpris, genomsnittspris, medelkurs, kurs per st, pris per st, kurs sek, kopkurs, saljkurs, avslutspris, andelsvarde, inkopskurs, pris st, avrakningskurs",
      no: "kurs, pris, snittkurs, gjennomsnittskurs, handelskurs, pris per andel, andelskurs, gjennomsnittspris, snittpris, pris per aksje, kjopskurs, salgskurs, kurs nok, handlekurs, pris pr stk, utforelseskurs",
      fi: "hinta, kurssi, kauppahinta, keskikurssi, yksikkohinta, toteutushinta, osuuden arvo, keskihinta, kauppahinta kpl, hinta kpl, keskikurssi kpl, toteutunut hinta, toteutuskurssi, yksikkokurssi, osuushinta, osuusarvo, rahasto osuuden arvo, arvo kpl, kaupan hinta, hinta osuus, myyntihinta, ostohinta",
      pl: "cena, kurs, cena jednostkowa, kurs wykonania, cena transakcji, cena realizacji, srednia cena, wartosc jednostki, cena za sztuke, cena jedn, kurs transakcji, kurs realizacji, cena wykonania, cena zakupu, cena sprzedazy, cena kupna, srednia cena transakcji, sredni kurs, wartosc jednostki uczestnictwa, cena netto",
      cs: "cena, kurz, jednotkova cena, cena za kus, cena obchodu, realizacni cena, prumerna cena, cena ks, cena za 1 ks, realizovana cena, realizacni kurz, kupni cena, prodejni cena, cena za ks, cena za kus cp, prumerna realizovana cena, cena na kus, hodnota podiloveho listu, cena jednotky, kurz cp, kurz obchodu",
    },
    weak: { xx: "at, zu je, a, aan, zu, @, je, per, rate, gross rate, net rate" },
  },
  gross: {
    strong: {
      de: "kurswert, *kurswert, kurswert in, bruttobetrag, transaktionswert, handelswert, brutto, kaufpreis, verkaufspreis, marktwert, gehandelter wert, aktienbetrag, abrechnungsbetrag brutto, bruttowert, gegenwert, auftragsvolumen, kurswert betrag, transaktionsvolumen, ausfuhrungswert, effektiver kurswert, wert der transaktion, anlagebetrag, wert, handelsvolumen, handelsbetrag, ordervolumen, transaktionsbetrag, ausfuhrungsbetrag, wert der order, kurswert brutto, anschaffungswert, effektivwert, kauf brutto, verkaufswert, kaufwert, marktwert der transaktion, summe kurswert, wert der wertpapiere, gegenwert in, kontrawert, bruttoerlos, brutto erlos",
      en: "gross amount, grossamount, gross consideration, consideration, principal, principal amount, gross, trade value, traded value, market value, gross proceeds, gross value, sale proceeds, gross trade amount, trade amount, transaction value, share value, order value, gross transaction amount, investment amount, gross money, contract value, total value, value of shares, deal value, value in, value of trade, value of transaction, sterling equivalent, gross contract value, gross deal value, gross cost, gross total, gross trade value, trade consideration, cost of shares, cost of investment, proceeds of sale, amount invested, share cost, shares value, principal value, extended value, extended amount, money value, dealing value, equivalent, usd equivalent, eur equivalent, gbp equivalent, aud equivalent, sgd equivalent, notional, notional value, traded amount, brokerable amount, initial consideration, clean consideration, nominal consideration",
      fr: "montant brut, brut, montant brut de l operation, valeur brute, montant des titres, montant negocie, montant transaction, capital, contre valeur, contrevaleur, montant de la transaction, montant brut negocie, montant brut en, montant de l operation, montant transige, capitaux, capital brut, valeur de transaction, montant des titres negocies, total brut, montant investi, montant brut titres",
      it: "controvalore, controvalore lordo, importo lordo, lordo, controvalore operazione, ctv, ctv lordo, importo operazione, controvalore titoli, controvalore in divisa, valore di mercato, controvalore secco, controvalore in eur, controvalore in euro, controvalore eur, controvalore eseguito, controvalore negoziato, valore lordo, totale lordo, importo investito, controvalore di mercato, valore operazione, controvalore totale lordo, controv lordo, ctvl, ctv in euro, controvalore corso secco",
      es: "importe bruto, efectivo bruto, bruto, importe efectivo, efectivo, valor efectivo, total bruto, importe operacion, contravalor, contravalor eur, contravalor en euros, importe de la operacion, valor de mercado, efectivo en euros, importe bruto operacion, valor de la operacion, importe contratado, efectivo operacion, efectivo de la operacion, importe ejecutado, efectivo contratado",
      nl: "bruto bedrag, brutobedrag, bruto, effectieve waarde, marktwaarde, orderwaarde, effectenwaarde, tegenwaarde, lokale waarde, waarde, transactiebedrag, transactiewaarde, bruto transactiewaarde, bruto transactiebedrag, tegenwaarde in eur, effectief bedrag, brutowaarde, koerswaarde, waarde transactie, handelswaarde, bruto totaal, bruto opbrengst, bruto tegenwaarde",
      pt: "valor bruto, montante bruto, bruto, valor da transacao, valor da operacao, total bruto, valor transacao, contravalor, valor das operacoes, valor de transacao, valor da compra, valor da venda, montante da operacao, montante transacionado, valor negociado, valor executado, valor mercado, montante investido, valor da ordem, valor efetivo",
      da: "kursvaerdi, kursvardi, bruttobelob, handelsbelob, handelsvaerdi, brutto, modvaerdi, modvardi, modvaerdi i dkk, kursvaerdi dkk, handelssum, handelsvardi, markedsvaerdi, markedsvardi, bruttoprovenu, vaerdi i dkk, kobesum, salgssum",
      sv: "kursvarde, bruttobelopp, brutto, avslutsbelopp, handelsbelopp, marknadsvarde, motvarde, motvarde sek, kopesumma, affarsbelopp, affarsvarde, likvid fore courtage, belopp fore courtage, likvid fore avgifter, ordervarde, handelsvarde, nominellt likvid",
      no: "kursverdi, bruttobelop, brutto, handelsbelop, kjopesum, motverdi, motverdi nok, handelsverdi, transaksjonsbelop, markedsverdi, bruttoverdi, salgssum, belop for kurtasje, transaksjonsverdi, ordreverdi",
      fi: "kauppasumma, bruttosumma, brutto, kaupan arvo, kurssiarvo, vasta arvo, kaupan summa, kaupan bruttosumma, markkina arvo, bruttoarvo, kauppahinta brutto, ostosumma, myyntisumma, arvo euroina, sijoitettu summa",
      pl: "wartosc brutto, wartosc transakcji, kwota brutto, wartosc zlecenia, wartosc, kwota transakcji, rownowartosc, rownowartosc w pln, wartosc zakupu, wartosc sprzedazy, wartosc kupna, wartosc rynkowa, wartosc realizacji, obrot, wartosc wg ceny, kwota zlecenia, kwota inwestycji",
      cs: "hruba castka, objem obchodu, hodnota obchodu, objem, hodnota transakce, hruby objem, trzni hodnota, celkova cena, protihodnota, protihodnota v czk, objem v mene, objem transakce, objem v czk, hodnota cp, hodnota cennych papiru, cena celkem, castka obchodu, investovana castka, objem brutto, hodnota pokynu",
    },
    weak: {
      de: "betrag, *betrag, summe, zwischensumme, total, gesamt",
      en: "amount, value, total, subtotal, proceeds",
      fr: "montant, valeur, total, sous total",
      it: "importo, totale, valore",
      es: "importe, total, valor",
      nl: "bedrag, totaal, subtotaal, lokale waarde",
      pt: "montante, total, valor",
      da: "belob, i alt, vardi",
      sv: "belopp, summa, totalt",
      no: "belop, sum, totalt",
      fi: "summa, yhteensa, arvo",
      pl: "kwota, suma, razem",
      cs: "castka, celkem, suma",
    },
  },
  net: {
    strong: {
      de: "ausmachender betrag, endbetrag, nettobetrag, netto, gesamtbetrag, abrechnungsbetrag, abrechnungsendbetrag, verrechneter betrag, rechnungsbetrag, zahlbetrag, buchungsbetrag, kundenendbetrag, endwert, gesamtsumme, betrag zu ihren, totalbetrag, total in kontowahrung, gebuchter betrag, valuta betrag, gesamtkosten, verrechnungsbetrag, summe gesamt, total transaktion, betrag netto, nettoerlos, verrechnungstotal, verrechnet, belasteter betrag, gutgeschriebener betrag, zu zahlen, schlussbetrag, gesamtabrechnung, zahlungsbetrag, ausmachend*, endsumme, gesamt betrag, abrechnungsbetrag eur, zu zahlender betrag, zahlbarer betrag, betrag in kontowahrung, gesamter betrag, betrag nach kosten, nettobetrag in, total netto, abrechnungssumme, abrechnungsbetrag in, verrechnungswert, endabrechnung, total eur, total chf, nettogutschrift, nettobelastung, gesamtwert inkl kosten, total inkl gebuhren, gesamtpreis, netto endbetrag, konto betrag, umsatz netto",
      en: "net amount, net amount payable, net amount receivable, total cost incl, net settlement, total debit amount, total credit amount, amount to settle, total amount due, total cash, net cost, total cost, total amount, net, amount due, net consideration, total consideration, settlement amount, net proceeds, net cash proceeds, total cost, net money, net settlement amount, amount payable, total due, net total, grand total, net cash, booked amount, amount booked, net value, total payable, total net amount, net trade amount, total settlement, balance due, amount to pay, total proceeds, net amount due, total payment, cash amount, net transaction amount, total cost proceeds, amount due payable, settlement value, total amount payable, total amount receivable, net settlement value, net contract value, net amount to you, amount due to you, amount due from you, amount due by you, payable by you, payable to you, due to you, due from you, due by you, net due, net payable, net receivable, total consideration payable, total settlement amount, settlement total, net debit credit, net cash amount, cash settlement amount, final amount, final total, amount settled, total amount charged, total charged, total price, total paid, total received, cash consideration, net invested, total incl fees, total including fees, total including charges, total inc fees, net sale proceeds, overall total, total net consideration, net purchase cost, total purchase cost, total sale proceeds, net cost proceeds, total transaction amount, total trade amount, money in, money out, cash impact",
      fr: "montant net, net a debiter, net a crediter, net a payer, montant total, montant net total, montant comptabilise, solde, net, total net, montant a debiter, montant a crediter, net debite, net credite, montant net debit, montant net credit, montant regle, montant net de l operation, total general, total a payer, montant total net, montant total debite, montant total credite, montant a payer, montant a recevoir, net a regler, montant a regler, total a regler, montant net en eur, total net a debiter, total net a crediter, montant net debite, montant net credite, montant net au debit, montant net au credit, net de l operation, montant du reglement, montant net de transaction, total de l operation, total operation, net client, net en faveur, net a percevoir, montant net investi, debit net, credit net",
      it: "importo netto, netto, controvalore netto, totale netto, importo totale, totale operazione, netto a vostro, importo regolato, totale a debito, totale a credito, totale addebito, totale accredito, importo a vostro debito, importo a vostro credito, saldo, importo addebitato, importo accreditato, netto operazione, totale a pagare, netto a pagare, totale da addebitare, totale da accreditare, importo da addebitare, importo da accreditare, netto ricavo, ricavo netto, netto ricavato, totale netto operazione, controvalore totale, importo complessivo, totale complessivo, importo netto in eur, importo netto regolato, totale da pagare, totale da regolare, importo di regolamento, importo liquidato, netto a voi, totale controvalore netto, costo totale, netto da addebitare, netto da accreditare, importo finale, netto a ricavo",
      es: "importe neto, neto, total neto, importe liquido, liquido, total a pagar, importe total, neto a pagar, total liquido, total cargo, total abono, importe a cargo, importe a abonar, efectivo neto, total operacion, neto a percibir, liquido a percibir, liquido a pagar, total a cobrar, adeudo, efectivo total, total a cargar, total a abonar, importe neto operacion, total neto operacion, importe neto a cargo, importe neto a abonar, importe a cargar, importe liquidado, neto operacion, neto a cargar, neto a abonar, importe total operacion, total liquidacion, importe liquidacion, importe de la liquidacion, importe a pagar, importe a cobrar, importe a percibir, importe final, saldo operacion, liquido operacion, efectivo liquido, total neto a pagar, total importe neto",
      nl: "netto bedrag, nettobedrag, netto, totaalbedrag, te betalen, te ontvangen, netto debit, netto credit, totaal bedrag, netto te betalen, afrekeningsbedrag, afrekening, eindbedrag, netto ontvangen, netto betaald, geboekt bedrag, totaal te betalen, totaal te ontvangen, totaal netto, verrekend bedrag, totaal ten laste, totaal ten gunste, netto te ontvangen, netto transactiewaarde, netto transactiebedrag, netto tegenwaarde, netto opbrengst, netto totaal, totale kostprijs, te verrekenen, te verrekenen bedrag, te vereffenen bedrag, verrekening, af te rekenen bedrag, bedrag afgerekend, saldo te betalen, nettowaarde, totaal afgerekend",
      pt: "valor liquido, montante liquido, liquido, total liquido, total a pagar, valor a debitar, valor a creditar, total a debitar, total a creditar, montante total, total da operacao, valor total, importancia liquida, valor liquido da operacao, liquido para, montante a debitar, montante a creditar, total liquido da operacao, valor a pagar, valor a receber, total a receber, montante liquido da operacao, valor financeiro liquido, valor total da operacao, liquido da operacao, liquido a debitar, liquido a creditar, custo total, valor liquidado, valor final",
      da: "afregningsbelob, nettobelob, netto, belob i alt, afregnet, til afregning, afregning, samlet belob, afregnes, total belob, i alt til afregning, afregnet belob, provenu, nettoprovenu, i alt dkk, total dkk, belob til afregning, afregnet netto, nettoafregning, i alt afregnet, samlet afregning, at betale, til betaling, til udbetaling, nettobelob dkk, slutbelob, totalbelob",
      sv: "nettobelopp, netto, likvidbelopp, likvid, totalbelopp, att betala, att erhalla, slutlikvid, summa att, avrakningsbelopp, totalt belopp, summa att betala, summa att erhalla, att fa, totalt att betala, totalt att erhalla, totalsumma, nettolikvid, summa likvid, belopp sek, slutbelopp, avrakning, likvid sek, netto sek, summa sek, totalt sek, slutsumma",
      no: "nettobelop, netto, oppgjorsbelop, a betale, totalbelop, sluttbelop, til gode, netto belop, totalt belop, nettosum, til belastning, til utbetaling, til innbetaling, belop til belastning, netto til utbetaling, total oppgjorssum, oppgjorssum, netto oppgjor, sum a betale, totalsum, total belop, sluttsum, totalt a betale, a motta, belastet belop, netto nok, sum nok, total nok, totalkostnad",
      fi: "nettosumma, netto, maksettava, loppusumma, kokonaissumma, tilitettava, maksettava summa, yhteissumma, kauppahinta yhteensa, veloitetaan, hyvitetaan, kaupan kokonaissumma, maksettava yhteensa, yhteensa maksettavaa, tilitettava maara, tilitys, tilitetaan, nettomaara, kokonaishinta, kokonaismaara eur, veloitettava summa, hyvitettava summa, saatava, tilitettava summa, lopullinen summa, tilille maksettava, kauppa yhteensa, netto yhteensa, maksu yhteensa",
      pl: "kwota netto, wartosc netto, do zaplaty, razem do zaplaty, kwota rozliczenia, netto, kwota do rozliczenia, suma do zaplaty, wartosc rozliczenia, kwota calkowita, laczna kwota, kwota do zaplaty, kwota do wyplaty, kwota platnosci, kwota obciazenia, kwota uznania, razem netto, suma netto, do rozliczenia, wartosc transakcji z prowizja, laczna wartosc, kwota naleznosci, kwota do pobrania, wartosc do zaplaty, razem kwota, calkowity koszt, kwota rozliczeniowa, wartosc calkowita, saldo transakcji",
      cs: "cista castka, celkova castka, k uhrade, castka k vyporadani, netto, celkem k uhrade, vyporadaci castka, cisty objem, celkova hodnota, celkem k vyplate, castka vyporadani, celkem k vyporadani, castka celkem, celkem zaplaceno, celkova platba, celkove naklady, celkova castka obchodu, netto castka, castka k uhrade, castka k vyplate, celkova castka k uhrade, vysledna castka, celkem netto, cisty vynos, zuctovana castka, hodnota k vyporadani, objem vcetne poplatku, celkem vcetne poplatku",
    },
    weak: {
      de: "gesamt, total, betrag, *betrag, summe, *summe",
      en: "total, amount, proceeds, value, equals",
      fr: "total, montant, net a",
      it: "totale, importo",
      es: "total, importe, a pagar",
      nl: "totaal, bedrag",
      pt: "total, montante, valor",
      da: "i alt, belob",
      sv: "totalt, belopp, summa",
      no: "totalt, belop, sum",
      fi: "yhteensa, summa",
      pl: "razem, suma, kwota",
      cs: "celkem, castka",
      xx: "total usd",
    },
  },
  debit: {
    strong: {
      de: "zu ihren lasten, zu lasten, zu lasten konto, belastung, lastschrift, wir belasten, belastet, endbetrag zu ihren lasten, betrag zu ihren lasten, zu deinen lasten, betrag zu lasten, belastung ihres kontos, zu ihren lasten nach steuern, soll, wir buchen ab, einzugsbetrag, lastschrifteinzug, einzug, abbuchung, wir ziehen, abgebucht, belastung konto, zulasten, wird belastet, wurde belastet, belastungsbetrag, zu lasten ihres kontos, belasten wir, zu lasten von konto, wird abgebucht",
      en: "to your debit, debited, amount debited, total debit, net debit, you pay, debit amount, total charged, total to pay, amount charged, to be debited, debit, total payable by you, you owe, debit to your account, charged to your account, debited from your account, will be debited, we have debited, amount to be debited, to the debit of",
      fr: "a votre debit, debit, net au debit, montant debite, a debiter, net a votre debit, au debit de votre compte, total a debiter, a votre charge, total debit, montant preleve, debite de votre compte, debit de votre compte, au debit du compte, montant porte au debit, sera debite",
      it: "a vostro debito, a debito, a suo debito, addebito, importo a debito, totale a vostro debito, netto a debito, a tuo debito, vostro debito, addebitiamo, in addebito, addebitato, addebitata, addebito in conto, addebito sul conto, vi abbiamo addebitato, al debito",
      es: "a su cargo, cargo, a cargo, total a su cargo, adeudo, cargo en cuenta, importe cargado, total cargo, importe adeudado, a debitar, cargado en cuenta, adeudado, hemos cargado, cargo a su cuenta, a su debe, se adeuda, importe a adeudar",
      nl: "te uwen laste, ten laste van, netto debit, debet, ten laste, afgeschreven, te debiteren, netto debet, ten laste van uw rekening, debitering, wordt afgeschreven, afschrijving, in uw debet, bedrag te uwen laste",
      pt: "a debito, debito, valor a debito, total a debito, a seu debito, debitado, a debitar, debito em conta, debitamos, lancamento a debito, valor debitado, a vosso debito",
      da: "til debitering, haeves, debiteres, haeves pa konto, trakkes, debiteret, trukket, trukket pa konto, hævet, haevet, debitering, haeves fra konto, overfort fra konto, hæves",
      sv: "att betala, debiteras, belastas, debet, belopp att betala, debiterat, dras fran konto, belastat, debitering, belastas konto, ert konto debiteras",
      no: "a betale, belastes, trekkes, debiteres, belop a betale, belastning, belastes konto, debiteres konto, trekkes fra konto, trukket",
      fi: "veloitetaan, veloitus, tililta veloitetaan, maksettavaa, veloitettu, veloitetaan tililta, veloitus tililta, tilin veloitus",
      pl: "obciazenie, do zaplaty, obciazamy, obciazenie rachunku, obciazono, pobrano z rachunku, pobrano",
      cs: "k tizi, odepsano, zatizeni, k uhrade klientem, na vrub, odepsana castka, strzeno, na vrub uctu, zatizeno",
    },
  },
  credit: {
    strong: {
      de: "zu ihren gunsten, zu gunsten, zugunsten, gutschrift, wir schreiben gut, gutgeschrieben, gutschriftsbetrag, endbetrag zu ihren gunsten, betrag zu ihren gunsten, zu deinen gunsten, betrag zu gunsten, gutschrift auf ihrem konto, zu ihren gunsten nach steuern, haben, gutschrift konto, auszahlungsbetrag, auszahlung, erlos, verkaufserlos, wird gutgeschrieben, wurde gutgeschrieben, gutschriftbetrag, schreiben wir gut, zu gunsten ihres kontos, uberweisungsbetrag, gutschrieben",
      en: "to your credit, credited, amount credited, total credit, net credit, you receive, credit amount, to be credited, credit, amount received, net proceeds to you, credit to your account, paid to you, credited to your account, will be credited, we have credited, amount to be credited, to the credit of, payout, payout amount, payment to you",
      fr: "a votre credit, credit, net au credit, montant credite, a crediter, net a votre credit, au credit de votre compte, total a crediter, en votre faveur, total credit, credite sur votre compte, credit de votre compte, au credit du compte, montant porte au credit, sera credite, produit de la vente",
      it: "a vostro credito, a credito, a suo credito, accredito, importo a credito, totale a vostro credito, netto a credito, a tuo credito, vostro credito, accreditiamo, in accredito, accreditato, accreditata, accredito in conto, accredito sul conto, al credito, ricavo",
      es: "a su favor, abono, a favor, total a su favor, abono en cuenta, importe abonado, total abono, a abonar, abonado en cuenta, abonado, hemos abonado, abono a su cuenta, a su haber, liquido a su favor, a acreditar",
      nl: "te uwen gunste, ten gunste van, netto credit, credit, ten gunste, bijgeschreven, te crediteren, ten gunste van uw rekening, creditering, wordt bijgeschreven, bijschrijving, in uw credit, opbrengst, bedrag te uwen gunste",
      pt: "a credito, credito, valor a credito, total a credito, a seu credito, a seu favor, creditado, a creditar, credito em conta, creditamos, lancamento a credito, valor creditado, a vosso credito, produto da venda",
      da: "til kreditering, indsaettes, krediteres, indsattes, indsaettes pa konto, krediteret, indsat, indsat pa konto, kreditering, overfort til konto, indsættes, udbetales",
      sv: "att erhalla, krediteras, insattning, kredit, belopp att erhalla, krediterat, satts in pa konto, insatt, kreditering, ert konto krediteras, utbetalas",
      no: "til gode, godskrives, krediteres, innsettes, belop til gode, godskrevet, godskrives konto, krediteres konto, innskudd, kreditert, utbetales",
      fi: "hyvitetaan, hyvitys, tilille hyvitetaan, hyvitetty, hyvitetaan tilille, hyvitys tilille, maksetaan tilille",
      pl: "uznanie, do wyplaty, uznamy, uznanie rachunku, uznano, przekazano na rachunek, wplyw",
      cs: "ve prospech, pripsano, k vyplate klientovi, pripsana castka, ve prospech uctu, k pripsani, pripsano na ucet",
    },
  },
  subtotal: {
    strong: {
      de: "zu ihren lasten vor steuern, zu ihren gunsten vor steuern, belastung vor steuern, gutschrift vor steuern, betrag vor steuern, zwischensumme, ausmachender betrag vor steuern, erlos vor steuern, nettobetrag vor steuern, endbetrag vor steuern, zwischentotal, nettokurswert, vor steuern",
      en: "subtotal, sub total, net amount before tax, amount before tax, net before tax",
      fr: "sous total, montant avant impots, total intermediaire, montant avant taxes",
      it: "subtotale, importo ante imposte, totale parziale",
      es: "subtotal, importe antes de impuestos",
      nl: "subtotaal, tussentotaal",
      pt: "subtotal",
      da: "subtotal, mellemsum",
      sv: "delsumma",
      no: "delsum",
      fi: "valisumma",
      pl: "suma czesciowa",
      cs: "mezisoucet",
    },
  },
  fee: {
    strong: {
      de: "provision, *provision, *provisionen, gebuhr, gebuhren, *gebuhr, *gebuhren, *gebuehr, *gebuehren, entgelt, *entgelt, *entgelte, spesen, *spesen, courtage, *courtage, kommission, *kommission, *kommissionen, kosten, *kosten, *auslagen, auslagen, ausgabeaufschlag, *aufschlag, *pauschale, maklergebuhr, brokerage, transaktionskosten, fremdspesen, *abgaben, borsenabgaben, abwicklung, clearing, *marge, aufschlag, agio, rabatt, *rabatt, bonifikation, *bonifikation, *ermassigung, discount, diverse, lieferspesen, schlussnote, *lieferung, variabl* borsenspes*, eig spesen, fr spesen, porto, *leistungen, borsenplatzabhang* entgelt, kundenbonifikation, *kostenzuschlag, *kostenpauschale, fremde kosten, nebenkosten, depotgebuhr, limitgebuhr, *zuschlag, vermittlungsentgelt, *nebenkosten, transaktionsgebuhr, bankprovision, eigene spesen, fremde spesen, gesamtkosten der order, ordergebuhr, borsengebuhr, handelsgebuhr, fremdgebuhren, fremdkosten, orderkosten, *ordergebuhr, *spesenersatz, spesenersatz, mindestgebuhr",
      en: "commission, commissions, fee, fees, brokerage, broker fee, brokers commission, charges, charge, brokerage fee, trading fee, exchange fee, transaction fee, clearing fee, settlement fee, handling fee, sec fee, taf fee, regulatory fee, platform fee, service fee, total fees, total charges, comm, comm fee, comm fees, costs, total trading costs, trading costs, dealing charge, ptm levy, levy, levies, dealing commission, transaction costs, brokerage gst, third party fees, broker charge, conversion fee, fx fee, exchange fees, admin fee, entry charge, sales charge, other fees, stock exchange fee, autofx, markup, brokerage commission, third party costs, custody fee, surcharge, cost surcharge, external cost surcharge, external costs, external fee, settlement cost, cost, incl gst, inc gst, including gst, costs incl gst, brokerage incl gst, brokerage inc gst, brokerage including gst, brokerage costs incl gst, incl vat, trading access fee, platform charge, sebi turnover fees, exchange transaction charges, turnover charges, ccass fee, transaction levy, frc levy, afrc levy, activity assessment fee, additional fees, contract fee, dealing fee, nscc fee, regulatory transaction fee, orf, occ fee, agency processing fee, ticket charge, postage and handling, supplemental fee, initial charge, exit fee, redemption fee, front end load, platform fees, fx charge, currency conversion fee, currency conversion charge, foreign exchange fee, spread, trade commission, flat fee, minimum commission, application money, administration charge, administration fee, compliance charge, account fee, broker commission, brokers fee, foreign brokerage, foreign charges, foreign fees, local fee, local fees, local charges, local commission, market fee, market fees, market charges, exchange levy, strate fee, strate, investor protection levy, ipl, sgx fee, sgx access fee, cdp fee, clearing fees, clearing charges, settlement charge, settlement and administration fee, transfer fee, nominee fee, panel levy, takeover panel levy, takeover levy, foreign dealing charge, fx margin, fx commission, fx spread, fx cost, admin charge, miscellaneous, misc fee, misc fees, other charges, other costs, other charges and fees, postage, handling, service charge, order fee, ticket fee, execution fee, execution fees, execution commission, section 31 fee, adr fee, trading activity fee, finra fee, stock exchange fees, exchange charges, charges and fees, fees and charges, commission and fees, dp charges, management fee, deferred sales charge, dilution levy, bank charges, agency fee, stamping fee, paper fee, research fee, clearing and settlement fee, minimum brokerage, net commission, gross commission",
      fr: "frais, commission, commissions, courtage, *courtage, frais de courtage, droits de garde, commission de courtage, total frais, frais de bourse, droits, frais divers, frais de transaction, frais de marche, frais d execution, frais et commissions, honoraires, courtage et commission, droits d entree, frais sur ordre, frais de negociation, frais de change, couts, cout, supplement, frais externes, frais de place, frais de gestion, frais de dossier, frais de tenue de compte, frais bancaires, frais de correspondant, frais de banque, frais etrangers, frais a l etranger, frais de reglement, frais fixes, commission de negociation, commission de bourse, commission d execution, commission de change, commission de mouvement, commission d intermediation, commission de souscription, commission de rachat, frais d entree, frais de sortie, droits de sortie, marge de change, redevance, frais annexes, frais boursiers, retrocession de frais, frais d intermediation, droits de place, courtages, frais totaux, total des frais",
      it: "commissioni, commissione, spese, spesa, costi, costo, diritti, commissioni di negoziazione, spese fisse, commissione di intermediazione, oneri, costo esecuzione, bolli e spese, recupero spese, diritti fissi, provvigioni, provvigione, commissioni bancarie, commissioni di intermediazione, commissioni di borsa, commissioni trading, commissioni estero, commissioni e spese, spese di esecuzione, spese estere, spese estero, spese di negoziazione, spese banca, spese operazione, spese mercato, spese varie, spese accessorie, diritti di borsa, diritti di segreteria, diritto fisso, commissione fissa, commissioni di sottoscrizione, commissione di rimborso, commissione cambio, spread cambio, commissioni broker, compenso, compensi, rimborso spese, fissati bollati, totale spese, totale commissioni",
      es: "comision, comisiones, gastos, gasto, corretaje, canon, canones, comision de intermediacion, gastos de bolsa, cargos, tarifa, tasas de bolsa, corretajes, gastos operacion, canon bolsa, gastos corretaje, comision cambio, gastos y comisiones, tarifa plana, costes, coste, costes de terceros, canones de bolsa, cuota, gastos de gestion, gastos de tramitacion, comision de bolsa, comision bancaria, comision de compraventa, comision de ejecucion, comision de liquidacion, comision banco, comision broker, comision entidad, comision minima, comision fija, comision variable, comision de cambio, comision de suscripcion, comision de reembolso, derechos de bolsa, derechos de contratacion, canon de bolsa, canon de contratacion, canon de liquidacion, gastos de correo, correo, corretaje bolsa, otros gastos, gastos totales, gastos mercado, gastos externos, tasas y canones, corretajes y comisiones, total gastos, comision mercado, corretaje extranjero, gastos extranjero",
      nl: "kosten, *kosten, commissie, commissies, provisie, makelaarsloon, transactiekosten, kosten derden, *loon, vergoeding, beurskosten, brokerkosten, *commissie, *provisie, servicekosten, externe kosten, wisselkosten, makelaarsprovisie, administratiekosten, bewaarloon, bemiddelingskosten, uitvoeringskosten, orderkosten, vaste kosten, beursvergoeding, beursprovisie, toetredingsvergoeding, instapkosten, uitstapkosten, uittredingsvergoeding, plaatsingsprovisie, valutamarge, wisselcommissie, wisselmarge, koersmarge, dossierkosten, kosten uitvoering, kosten en provisies, kosten beurs, kosten correspondent, buitenlandse kosten, taksen en kosten, totale kosten, tarief, kosten broker, kosten bank",
      pt: "comissao, comissoes, corretagem, despesas, taxas, taxa, custos, encargos, comissao de corretagem, taxa de bolsa, comissao de bolsa, custos de bolsa, emolumentos, comissao de execucao, taxa de liquidacao, taxa de custodia, taxa operacional, taxa de negociacao, taxa de registo, taxa de registro, taxa de mercado, taxas de mercado, taxa de corretagem, taxa de intermediacao, comissao de intermediacao, comissao de negociacao, comissao de liquidacao, comissao bancaria, comissao do banco, comissao cambial, comissao de subscricao, comissao de resgate, comissao minima, outras despesas, outras comissoes, outros custos, custos operacionais, custo operacional, total de custos, total de comissoes, total despesas, portes, despesas bancarias, despesas de bolsa, despesas de expediente, taxa de emolumentos, execucao",
      da: "kurtage, gebyr, gebyrer, *gebyr, *kurtage, omkostninger, *omkostninger, provision, handelsomkostninger, valutaomkostninger, vekselgebyr, udenlandske omkostninger, handelsgebyr, valutagebyr, valutatillaeg, valutatillag, vekselmargin, minimumskurtage, emissionstillaeg, emissionstillag, indlosningsfradrag, fremmede omkostninger, udgifter, omkostninger i alt, borsafgift, tillaeg, clearinggebyr, transaktionsgebyr, afviklingsgebyr, ekspeditionsgebyr, salaer",
      sv: "courtage, avgift, avgifter, *avgift, *avgifter, kurtage, provision, valutavaxlingsavgift, utlandsk avgift, utlandska avgifter, utlandska kostnader, kostnad, *kostnad, vaxlingsavgift, vaxlingspaslag, transaktionskostnad, minimicourtage, clearingavgift, borsavgift, fondavgift, tecknings avgift, ersattning, arvode, summa avgifter, ovriga avgifter, utlandskt courtage, extern avgift",
      no: "kurtasje, gebyr, gebyrer, *gebyr, avgift, omkostninger, *kostnader, kostnader, provisjon, valutapaslag, utenlandske kostnader, utenlandsk kurtasje, *kurtasje, vekslingsgebyr, valutagebyr, honorar, tegningsgebyr, innlosningsgebyr, clearingavgift, borsavgift, meglerhonorar, plattformhonorar, andre kostnader, transaksjonskostnader, handelskostnader, kostnad, *kostnad, provisjoner, gebyr og avgifter, depotgebyr",
      fi: "palkkio, palkkiot, *palkkio, *palkkiot, kulut, *kulut, valityspalkkio, kaupankayntikulut, toimeksiantopalkkio, merkintapalkkio, lunastuspalkkio, porssimaksu, *maksu, *maksut, toimituskulut, toimituspalkkio, muut kulut, muut palkkiot, ulkomaiset kulut, markkinapaikan kulut, selvityskulut, kaupankayntipalkkio, kaupankayntimaksu, kulut yhteensa, palkkiot ja kulut, valuutanvaihtopalkkio, valuutanvaihtokulut, minimipalkkio, kustannukset, *kustannukset, kustannus",
      pl: "prowizja, *prowizja, oplata, oplaty, koszty, prowizje, oplata transakcyjna, koszty transakcyjne, prowizja maklerska, oplata gieldowa, oplaty gieldowe, oplaty dodatkowe, oplata manipulacyjna, oplata za nabycie, oplata za zlecenie, oplata dystrybucyjna, oplata za umorzenie, oplata rozliczeniowa, oplata brokerska, prowizja od transakcji, prowizja za zlecenie, prowizja za przewalutowanie, oplata za przewalutowanie, koszty zewnetrzne, koszty dodatkowe, koszt, koszt transakcji, suma oplat, prowizji, prowizja domu maklerskiego, oplata dodatkowa, koszty i oplaty",
      cs: "poplatek, poplatky, provize, naklady, poplatek za obchod, poplatky celkem, transakcni poplatek, poplatek za zprostredkovani, poplatek burze, poplatek za realizaci, poplatek za provedeni, poplatek za nakup, poplatek za prodej, poplatek za transakci, poplatek za vyporadani, poplatek obchodnika, poplatek trhu, ostatni poplatky, naklady tretich stran, burzovni poplatek, vstupni poplatek, vystupni poplatek, poplatek za konverzi, odmena, provize obchodnika, celkove poplatky, poplatku, zprostredkovatelsky poplatek, naklady obchodu",
    },
  },
  tax: {
    strong: {
      de: "kapitalertragsteuer, kapitalertragssteuer, abgeltungssteuer, abgeltungsteuer, solidaritatszuschlag, soli, kirchensteuer, quellensteuer, *steuer, *steuern, steuern, stempelsteuer, stempelabgabe, stempelabgaben, *stempelabgabe, stempel*, eidg stempelsteuer, finanztransaktionssteuer, finanztransaktionsteuer, umsatzabgabe, eidg umsatzabgabe, kest, kest i, kest ii, kest iv, kest v, kest vi, steuerabzug, steuerausgleich, borsenumsatzsteuer, abgabe, *stempel, umsatzstempel, stempelgebuhr, *stempelgebuhr, mehrwertsteuer, mwst, verrechnungssteuer, eu quellensteuer, gesamtsumme steuern, summe steuern, steuern gesamt, steuerbetrag, summe der steuern, gesamtbetrag steuern, steuern total, *umsatzabgabe, stempelabgabe inland, stempelabgabe ausland, transaktionssteuer, kapitalertragst, kapst, kest altbestand, kirchenst, solz, solzuschlag, zuschlagsteuer, stempelst, effektenstempel, spekulationssteuer",
      en: "tax, taxes, stamp duty, withholding tax, transaction tax, financial transaction tax, federal stamp duty, gst, vat, stamp duty reserve tax, sdrt, ftt, sales tax, stamp tax, total tax, capital gains tax, swiss stamp duty, duty, total taxes, taxes total, tax total, tax amount, securities transaction tax, stt, igst, cgst, sgst, service tax, transfer stamp, stamp, irish stamp duty, french ftt, italian ftt, spanish ftt, hst, pst, foreign tax, non resident tax, nra tax, securities transfer tax, stt tax, iss, consumption tax, transfer tax, state tax, backup withholding, federal withholding, federal tax withheld, state tax withheld, tax withheld, withheld tax, wht, stamp duties, contract stamp, clearing stamp, government levy, stamp fee, ad valorem stamp duty, excise tax, sales and services tax, sst, goods and services tax, value added tax, financial transactions tax, d tax, iof",
      fr: "impot, impots, taxe, taxes, taxe sur les transactions financieres, ttf, tva, droit de timbre, timbre federal, prelevement, prelevements, taxe sur les operations de bourse, tob, prelevements sociaux, csg, crds, retenue a la source, taxe boursiere, taxe de bourse, timbre, impot de bourse, droits de timbre, taxe sur transactions financieres, taxe transactions financieres, taxe sur les transactions, taxe financiere, impot sur les operations de bourse, prelevement forfaitaire, pfu, pfnl, precompte mobilier, precompte, timbre de negociation, droit de timbre federal, taxe federale, impot anticipe, taxe tob, taxe sur operations de bourse, contributions sociales",
      it: "imposta, imposte, imposta di bollo, bollo, tobin tax, ritenuta, ritenute, tassa, tasse, imposta sostitutiva, ritenuta fiscale, iva, imposta capital gain, imposta sulle transazioni finanziarie, ftt, capital gain, tassazione, imposte e tasse, imposta di registro, imposta transazioni finanziarie, imp bollo, imposta bollo, imposta sul capital gain, ritenuta d acconto, ritenuta alla fonte, imposta sostitutiva 26, imp sostitutiva, tassa sui contratti di borsa, tassa contratti, fissato bollato, imposta di negoziazione, tassa di negoziazione, imposta tf, bolli, tobintax",
      es: "impuesto, impuestos, retencion, retenciones, iva, itf, impuesto transacciones financieras, tasa tobin, retencion irpf, retencion a cuenta, retencion fiscal, tasas, impuesto sobre transacciones financieras, impuesto sobre las transacciones financieras, impto transacciones financieras, impuesto de transacciones, retencion practicada, retenciones practicadas, i v a, irpf, impuesto timbre, tasa transacciones financieras, impuesto bolsa, impuesto sobre el valor anadido",
      nl: "belasting, belastingen, beurstaks, *taks, taks, btw, roerende voorheffing, bronbelasting, *belasting, *voorheffing, transactiebelasting, taks op beursverrichtingen, tob, zegelrecht, taks beursverrichtingen, speculatietaks, financiele transactietaks, transactietaks, beursbelasting, reynderstaks, dividendbelasting, omzetbelasting, b t w, zegeltaks, taksen",
      pt: "imposto, impostos, imposto do selo, imposto de selo, irs, retencao, retencao na fonte, iva, selo, imposto selo, impostos retidos, is sobre comissoes, iss, irrf, i r r f, irc, imposto sobre transacoes, imposto do selo sobre comissoes, imposto de selo sobre comissao, imposto selo operacoes, imposto de renda, imposto retido, imposto sobre mais valias, iof, retencao de imposto, retencao irs, imposto sobre operacoes financeiras, i selo, imp selo, imposto s comissoes, tributacao",
      da: "skat, *skat, udbytteskat, moms, stempelafgift, afgift, aktieskat, finansiel transaktionsskat, transaktionsskat, aktieafgift, kildeskat, omsaetningsafgift, omsattningsafgift, udenlandsk skat",
      sv: "skatt, *skatt, moms, kupongskatt, kallskatt, stampelskatt, transaktionsskatt, preliminarskatt, utlandsk skatt, finansiell transaktionsskatt, avdragen skatt, stampelavgift, mervardesskatt, kapitalskatt, statlig skatt",
      no: "skatt, *skatt, kildeskatt, mva, stempelavgift, dokumentavgift, merverdiavgift, forskuddsskatt, utenlandsk skatt, finansskatt, transaksjonsskatt, transaksjonsavgift, omsetningsavgift",
      fi: "vero, *vero, ennakonpidatys, varainsiirtovero, lahdevero, arvonlisavero, transaktiovero, lahdeverot, verot, verot yhteensa, rahoitusmarkkinavero, leimavero, alv, ulkomainen vero, rahoitustransaktiovero",
      pl: "podatek, podatki, podatek u zrodla, vat, podatek od transakcji, podatek od transakcji finansowych, podatek od zyskow kapitalowych, podatek dochodowy, zryczaltowany podatek, pcc, oplata skarbowa, pobrany podatek, podatku",
      cs: "dan, dane, srazkova dan, dph, transakcni dan, dan z transakci, dan z obchodu, dan z prevodu, financni transakcni dan, kolkovne, zalohova dan, srazena dan, srazkove dane",
    },
  },
  interest: {
    strong: {
      de: "stuckzinsen, *stuckzinsen, marchzinsen, marchzins, aufgelaufene zinsen, zwischengewinn in, bezahlte stuckzinsen, erhaltene stuckzinsen, zinsen fur, *zinstage, zinsen aufgelaufen, ausmachende zinsen, zinsanteil, aufgel zinsen, anteilige zinsen, laufende zinsen, stuckzins, stuckzinsertrag",
      en: "accrued interest, accrued int, interest accrued, accrued interest amount, interest accrued amount, purchased interest, interest bought, interest sold, accrued income, accrued coupon",
      fr: "interets courus, coupon couru, interet couru, montant coupon couru, interets courus nets, interets courus bruts, coupons courus, interets acquis, int courus, interets echus, interet courus",
      it: "rateo, dietimi, rateo interessi, interessi maturati, rateo cedola, dietimi netti, rateo lordo, interessi dietimi, rateo di interesse, rateo netto, rateo maturato, rateo attivo, dietimi lordi, interessi maturati lordi, dietimo",
      es: "cupon corrido, intereses devengados, interes corrido, cupon corrido bruto, cupon corrido neto, intereses corridos, interes devengado, intereses acumulados, intereses cupon, importe cupon corrido",
      nl: "opgelopen rente, meeverkochte rente, verlopen rente, lopende rente, gelopen rente, aangegroeide rente, meegekochte rente, verlopen interest, opgelopen interest, rente opgelopen, gelopen interest, lopende interest",
      pt: "juros corridos, juro decorrido, juros decorridos, juro corrido, juros vencidos, juros acumulados, juros decorridos brutos, juro acumulado, juros brutos",
      da: "vedhaengende rente, vedhangende renter, palobne renter, vedhaengende renter, vedhangende rente, rente, palobet rente, vedhæftende rente, vedhaeftende rente, vedh rente",
      sv: "upplupen ranta, upplupna rantor, upplupen kupongranta, ranta upplupen, kupongranta, upplupna rantan",
      no: "palopte renter, opptjente renter, palopt rente, palopte rente, opptjent rente",
      fi: "kertynyt korko, jalkimarkkinahyvitys, kertyneet korot, siirtyva korko, jalkimarkkinakorko, kertynytta korkoa",
      pl: "odsetki narosle, narosle odsetki, odsetki skumulowane, odsetki nalezne, wartosc odsetek, narosle odsetki w, skumulowane odsetki",
      cs: "alikvotni urokovy vynos, auv, naskocene uroky, nabehly urok, naskoceny urok, alikvotni urok, nabehle uroky, aliquotni urokovy vynos, alikvota",
    },
    fair: {
      de: "zinsen, zins",
      en: "interest, int",
      fr: "interets, interet",
      it: "interessi",
      es: "intereses, interes",
      nl: "rente, interest",
      pt: "juros, juro",
      da: "renter",
      sv: "ranta, rantor",
      no: "renter, rente",
      fi: "korko, korot",
      pl: "odsetki",
      cs: "urok, uroky",
    },
  },
  fx: {
    strong: {
      de: "devisenkurs, dev kurs, zum dev kurs, umrechn zum dev kurs, devisen kurs, wechselkurs, umrechnungskurs, umrechnung, umrechn kurs, umrechn devisenkurs, devisenreferenzkurs, fremdwahrungskurs, wahrungskurs, *devisenkurs, zum devisenkurs, umrechnung zum kurs, zum kurs von eur usd, kurs eur usd, umgerechnet zum kurs, devisenmittelkurs, devisen, eur usd, usd eur, usd chf, eur chf, gbp eur, eur gbp, chf eur, chf usd, umgerechnet mit, devisenumrechnung, umrechnungsfaktor, kurs fremdwahrung, kurs fw, fx kurs, devisenbriefkurs, devisengeldkurs, wahrungsumrechnung, umrechnung mit, eur kurs, abrechnungskurs devisen, fremdwahrung kurs",
      en: "exchange rate, fx rate, conversion rate, currency rate, rate of exchange, forex rate, exch rate, x rate, fx, foreign exchange rate, conversion, exchange rate applied, fx rate applied, currency exchange rate, currency conversion rate, converted at, rate applied, spot rate, fx spot rate, exchange rate used, indicative fx rate, fxrate, ex rate, client fx rate, all in fx rate",
      fr: "taux de change, cours de change, change, cours devise, taux de conversion, parite, cours du change, taux de change applique, cours de conversion, taux applique, taux change, parite de change, cours eur usd, conversion",
      it: "cambio, tasso di cambio, cambio applicato, cambio divisa, cambio di riferimento, cambio di regolamento, tasso cambio, cambio negoziato, cambio utilizzato, rapporto di cambio",
      es: "tipo de cambio, cambio divisa, divisa cambio, cambio aplicado, tipo cambio, cambio de divisa, tipo de cambio aplicado, tipo cambio aplicado, divisa tipo de cambio, tipo de conversion, cambio medio divisa",
      nl: "wisselkoers, valutakoers, koers vreemde valuta, omrekenkoers, fx koers, koers valuta, gehanteerde wisselkoers, omrekeningskoers, toegepaste wisselkoers, koers deviezen, deviezenkoers, valuta koers",
      pt: "taxa de cambio, cambio, taxa cambio, cotacao cambial, taxa de conversao, taxa cambial, taxa de cambio aplicada, cambio de conversao",
      da: "valutakurs, vekselkurs, omregningskurs, kurs valuta, omregning, omvekslingskurs, anvendt valutakurs, valuta kurs, afregningskurs valuta, vekslet til kurs",
      sv: "valutakurs, vaxlingskurs, vaxelkurs, valutavaxlingskurs, vaxlingskurs eur, vaxlingskurs sek, valutakurs sek, omrakningskurs, anvand vaxelkurs, valutavaxling kurs",
      no: "valutakurs, vekslingskurs, valutakurs nok, vekslekurs, benyttet valutakurs",
      fi: "valuuttakurssi, vaihtokurssi, muuntokurssi, kaytetty valuuttakurssi, valuuttakurssi eur, muuntokurssi eur, valuutan kurssi, vaihtokurssi eur",
      pl: "kurs waluty, kurs walutowy, kurs wymiany, przelicznik, kurs przewalutowania, kurs przeliczenia, kurs waluty obcej, kurs nbp, kurs konwersji, zastosowany kurs",
      cs: "kurz meny, devizovy kurz, smenny kurz, prepocitaci kurz, kurz prepoctu, pouzity kurz, kurz konverze, smenny kurs, menovy kurz",
    },
    weak: { en: "rate" },
  },
  multiplier: {
    strong: {
      de: "kontraktgrosse, multiplikator, kontraktmultiplikator, kontraktvolumen faktor",
      en: "multiplier, contract size, contract multiplier, lot size",
      fr: "multiplicateur, taille du contrat, quotite",
      it: "moltiplicatore, dimensione del contratto, dimensione contratto",
      es: "multiplicador, tamano del contrato",
      nl: "contractgrootte, multiplicator, contractomvang",
      pt: "multiplicador, dimensao do contrato",
      da: "kontraktstorrelse, multiplikator",
      sv: "kontraktsstorlek, multiplikator",
    },
  },
  tradeDate: {
    strong: {
      de: "schlusstag, schlusstag zeit, schlusstag handelszeit, handelstag, handelstag zeit, handelsdatum, geschaftstag, ausfuhrungstag, ausfuhrungsdatum, ausfuhrungstag zeit, abschlusstag, abschlussdatum, ausgefuhrt am, trade datum, handelszeit, kauf am, verkauf am, kauftag, transaktionsdatum, ausfuhrung, schlusszeit, handelstag handelszeit, datum der ausfuhrung, ausfuhrung am, schlussdatum, transaktionstag, schlusstag uhrzeit, kauf vom, verkauf vom, datum uhrzeit der ausfuhrung, geschaftsdatum, ausfuhrungszeit, ausfuhrungszeitpunkt, ausfuhrungsdatum zeit, datum handelstag, handelsuhrzeit, ausfuhrungstag und zeit, ausfuhrungszeitpunkt, datum der transaktion, datum der ausfuhrung, orderausfuhrung datum zeit, orderausfuhrung, handelszeitpunkt, tag der ausfuhrung, abgeschlossen am, ausfuhrungsdatum uhrzeit, tag des geschafts, datum des geschafts, geschaft vom, transaktion vom, ausgefuhrt, auftrag ausgefuhrt am, order ausgefuhrt am, datum ausfuhrung, tag der transaktion, kaufdatum, verkaufsdatum, datum kauf, datum verkauf, datum transaktion, handelstermin, schlusstag datum, datum der abrechnung handelstag",
      en: "trade date, trade date time, as at date, date of transaction, traded on, date of purchase, date of sale, transaction time, date time executed, date of trade, transaction date, execution date, trade time, executed on, date of execution, date traded, bargain date, dealing date, deal date, execution time, trade date time, date executed, sale date, purchase date, contract date, date time, executed, tradedate, trade day, purchased on, sold on, date and time of execution, transaction date and time, execution date time, filled at, date dealt, dealt on, date of deal, deal time, date of contract, date bought, date sold, bought on, filled on, fill date, time of execution, date time of execution, dealing time, dealing date time, time executed, execution timestamp, date of dealing, date of order execution, order executed, order execution date, tran date, trans date, trx date, txn date, transaction day, date of bargain, bargain date and time, date time of trade, trade timestamp, trade execution time, filled, trd date",
      fr: "date d execution, date de transaction, date de negociation, date d operation, date operation, execute le, date de l operation, jour de negociation, date heure d execution, date transaction, date execution, date de bourse, date d achat, date de vente, date et heure, date de negoce, date de vl, execution, realise le, date du contrat, date de realisation, date et heure d execution, date d execution de l ordre, heure d execution, date de la transaction, date de la negociation, date de l execution, achete le, vendu le, en date du, ordre execute le, jour d execution, date de marche, bourse du, date de souscription, date de rachat, negocie le, date de conclusion",
      it: "data operazione, data di esecuzione, data esecuzione, data eseguito, data negoziazione, data contrattazione, eseguito il, data dell operazione, data transazione, data ora eseguito, data di negoziazione, data ora esecuzione, data ordine eseguito, data e ora, data nav, data contratto, data di operazione, data e ora esecuzione, data e ora di esecuzione, data ora di esecuzione, ora di esecuzione, data acquisto, data vendita, data di contrattazione, data dell eseguito, giorno di esecuzione, data di borsa, data borsa, data oper, data op, data neg, giorno operazione, data di acquisto, data di vendita, data trade, data sottoscrizione",
      es: "fecha operacion, fecha de operacion, fecha ejecucion, fecha de ejecucion, fecha contratacion, fecha de contratacion, fecha de la operacion, fecha negociacion, ejecutada el, fecha y hora, fecha hora ejecucion, fecha de negociacion, fecha compra, fecha venta, f operacion, fecha transaccion, fecha hora, f ejecucion, fecha de compra, fecha de venta, fecha de transaccion, dia de la operacion, fecha hora de ejecucion, fecha y hora de ejecucion, hora de ejecucion, fecha de la ejecucion, fecha de la transaccion, fecha bolsa, fecha sesion, fecha ejec, fecha oper, fec operacion, fecha de contrato, fecha contrato, fecha de suscripcion, fecha suscripcion, fecha reembolso, fecha de negocio, sesion",
      nl: "transactiedatum, uitvoeringsdatum, datum transactie, handelsdatum, uitvoering, uitgevoerd op, datum uitvoering, beursdatum, datum en tijd, transactie datum, verrichtingsdatum, tijdstip uitvoering, tijdstip, datum van uitvoering, datum van de transactie, tijdstip van uitvoering, uitvoeringstijdstip, datum en tijdstip, verhandeld op, handelstijd, datum verrichting, datum koop, datum verkoop, aankoopdatum, verkoopdatum, datum tijd, transactiedag, datum beursverrichting, datum uitvoering order, uitvoeringsdag",
      pt: "data da operacao, data operacao, data de execucao, data execucao, data da transacao, data transacao, data negociacao, data de negociacao, executada em, data da negociacao, data e hora, data pregao, data do pregao, data negocio, data do negocio, data da execucao, data e hora da execucao, data hora execucao, data de compra, data de venda, data da compra, data da venda, data de transacao, dia da operacao, data bolsa, data sessao, data de subscricao, data mov, data oper, hora de execucao, data de operacao",
      da: "handelsdato, handelsdag, handelstidspunkt, udfort den, handlet den, handelsdato tid, udforelsesdato, transaktionsdato, dato for handel, handels dato, afslutningsdato, dato for afslutning, afsluttet, udfort, handelstid, kobsdato, salgsdato, dato for udforelse, ordre udfort",
      sv: "affarsdag, avslutsdag, affarsdatum, handelsdag, avslut, transaktionsdag, avslutsdatum, transaktionsdatum, avslutstid, handelsdatum, utforandedatum, utford, utfort, affarstid, affarsdag tid, affarsdatum tid, kopdatum, saljdatum, datum for avslut, datum avslut, avslutstidpunkt, dag for avslut, genomford, utforandedag, verkstalld",
      no: "handelsdato, handelsdag, handelstidspunkt, avtaledato, transaksjonsdato, sluttseddeldato, handledato, handledag, utforelsesdato, utfort, utfort dato, handelstid, sluttdato, kjopsdato, salgsdato, tidspunkt for handel, dato for handel, transaksjonsdag, gjennomfort",
      fi: "kauppapaiva, kaupantekopaiva, toteutuspaiva, toteutusaika, kaupan paivamaara, kaupantekoaika, kaupan paiva, kauppapvm, kauppa pvm, toteutuspvm, toteutettu, kauppa aika, kauppa ajankohta, merkintapaiva, lunastuspaiva, tapahtumapaiva, ostopaiva, myyntipaiva, kaupankayntipaiva",
      pl: "data transakcji, data zawarcia, data realizacji, data wykonania, data i czas transakcji, data zawarcia transakcji, data operacji, data i godzina transakcji, czas transakcji, data realizacji zlecenia, data wykonania zlecenia, data nabycia, data sprzedazy, data kupna, data zakupu, dzien transakcji, data sesji, data i czas zawarcia transakcji, data i godzina zawarcia, zawarto dnia, data umowy",
      cs: "datum obchodu, datum realizace, datum uzavreni, datum transakce, cas obchodu, datum a cas, datum uzavreni obchodu, cas realizace, den obchodu, datum provedeni, datum a cas obchodu, datum realizace obchodu, den realizace, datum nakupu, datum prodeje, provedeno dne, realizovano dne, datum a cas provedeni, datum a cas realizace, obchodni den, uzavreno dne, datum operace",
    },
    fair: {
      de: "abrechnungstag, abrechnungsdatum, preisdatum, kursdatum, bewertungstag, nav datum, abschluss, kursstellung, preisstellung",
      en: "confirm date, confirmation date, price date, pricing date, valuation point, valuation date, nav date",
      fr: "date de vl, date de valorisation, date de l avis",
      it: "data nav, data conferma",
      es: "fecha de valoracion, fecha confirmacion",
      nl: "koersdatum, datum nota",
      pt: "data da cotacao, data da valorizacao",
      da: "kursdato",
      sv: "kursdatum, nav datum",
      no: "kursdato",
      fi: "arvostuspaiva",
      pl: "data wyceny",
      cs: "datum oceneni, datum ceny",
    },
    weak: {
      de: "datum, tag, vom, am, falligkeit, fallig am, falligkeitstag, einlosung zum, ruckzahlung zum, buchungstag, buchungsdatum, gebucht am, buchung, date",
      en: "date, on",
      fr: "date, le, du",
      it: "data, del, il",
      es: "fecha, el",
      nl: "datum, op, dd",
      pt: "data, em",
      da: "dato, den",
      sv: "datum, den",
      no: "dato, den",
      fi: "paiva, paivamaara, pvm",
      pl: "data, dnia",
      cs: "datum, dne",
    },
  },
  settleDate: {
    strong: {
      de: "valuta, valutadatum, valutatag, wertstellung, wertstellung zum, mit wertstellung, mit valuta, erfullungstag, abwicklungstag, zahltag, zahlungstag, zahlungsdatum, settlement datum, fallig, valuta konto, valuta per, liefertag, abrechnungsvaluta, valutastellung, wert, buchung valuta, zahlbarkeitstag, zahlbar, wert, mit wertstellung zum, gutschrift mit, buchung mit wertstellung, geldvaluta, gutschriftsdatum, belastungsdatum, lieferdatum, liefer und zahlungstag, erfullungsdatum, erfullung, valuta datum, valutierung, settlementtag, settlement tag, zahlung am, wertstellungstag, wertstellungsdatum, wertdatum, abwicklungsdatum, abwicklung am, kontovaluta, stuckevaluta",
      en: "settlement date, settle date, value date, settlement, settles on, date of settlement, contractual settlement date, delivery date, proceeds available, settl date, settlement due, payment date, pay date, due date, due for settlement, settlement on, settling on, date due, settlement due date, intended settlement date, expected settlement date, contractual settle date, cash settlement date, settle, setl date, sett date, sd date, date of payment, payable on, for settlement on, booking date, posting date",
      fr: "date de valeur, date valeur, valeur, date de reglement, date reglement, reglement, reglement livraison, date de denouement, valeur le, date de reglement livraison, denouement, date reglement livraison, date de livraison, date de comptabilisation, date comptable, livraison, date de paiement, date de credit, date de debit, valeur du, regle le, denouement le, date de liquidation, jour de valeur, date r l",
      it: "data valuta, data regolamento, valuta, data di regolamento, regolamento, data di valuta, data liquidazione, con valuta, data reg, data di liquidazione, liquidazione, data di pagamento, data pagamento, data contabile, valuta di regolamento, valuta regolamento, valuta di addebito, valuta di accredito, data consegna, valuta addebito, valuta accredito, data val, data settlement, data di accredito, data di addebito",
      es: "fecha valor, fecha liquidacion, fecha de liquidacion, valor, fecha de valor, f valor, liquidacion, fecha de pago, fecha de abono, fecha de cargo, fecha liquid, fecha contable, fecha valor cargo, fecha valor abono, fecha apunte, f liquidacion, fec valor, fecha de entrega, fecha liq, fecha contabilizacion",
      nl: "valuta, valutadatum, settlementdatum, afwikkelingsdatum, boekdatum, vereffeningsdatum, afrekeningsdatum, afwikkeling, datum afwikkeling, datum vereffening, datum valuta, boekingsdatum, verrekendatum, betaaldatum, leveringsdatum, datum van betaling, vereffening",
      pt: "data valor, data de liquidacao, data liquidacao, data de valor, liquidacao, data da liquidacao, data pagamento, data de pagamento, data financeira, data da valorizacao, data credito, data debito, data liq, data de debito, data de credito, data contabilistica, data mov valor, data movimento, valorizacao",
      da: "valor, valordato, afregningsdato, afviklingsdato, valordag, rentedato, afvikling, afviklingsdag, valoer, valoerdato, dispositionsdato, bogfort, bogforingsdato, afregning dato, afregnes den, rentedag, valutadato, settlementdato, afregningsdag",
      sv: "likviddag, betaldag, avvecklingsdag, likviddatum, avvecklingsdatum, valutadag, likvid dag, betalningsdag, betalningsdatum, avrakningsdag, bokforingsdag, bokforingsdatum, leveransdag, avveckling, settlementdag, bokford, likvid den",
      no: "oppgjorsdato, oppgjorsdag, valuteringsdato, verdidato, betalingsdato, valutering, oppgjor, bokforingsdato, bokfort, forfallsdato, valuteringsdag, betalingsdag, oppgjors dato, oppgjor den, leveringsdato, valutadato, settlementdato",
      fi: "maksupaiva, selvityspaiva, arvopaiva, toimituspaiva, arvopvm, maksupvm, selvityspvm, kirjauspaiva, kirjauspvm, tilityspaiva, suorituspaiva, valuuttapaiva, maksun arvopaiva, selvitys, kaupan selvityspaiva, veloituspaiva",
      pl: "data rozliczenia, data waluty, data rozrachunku, data ksiegowania, data rozliczenia transakcji, termin rozliczenia, data platnosci, termin platnosci, data zaksiegowania, data dostawy, dzien rozliczenia, data obciazenia, data uznania, data rozl, planowana data rozliczenia",
      cs: "datum vyporadani, datum valuty, den vyporadani, vyporadani, datum splatnosti, datum zuctovani, datum zaplaceni, datum platby, datum vypor, den valuty, datum dodani, termin vyporadani, datum penezniho vyporadani, datum majetkoveho vyporadani, datum uctovani, zuctovano",
    },
  },
  docDate: {
    strong: {
      de: "erstellt am, generiert um, druckdatum, ausgestellt am, rechnungsdatum, belegdatum, abrechnung vom, geschaftsabrechnung vom, auftragsdatum, auftragserteilung, auftragseingang, orderdatum, auftrag vom, ihrem auftrag vom, auftragszeit, datum der auftragserteilung, gultig bis, order erteilt, auftragserteilung datum, ordererteilung, erteilt am, eingang, ex tag, berichtszeitraum, zeitraum, stand, per, bewertet per, bestand per, auszug, erstellungsdatum, zum, seit, bis, ab, order vom, auftragszeitpunkt, auftragsdatum zeit, limit gultig bis, gultig, datum des auftrags, order eingegangen, eingegangen am, auftrag erhalten, orderaufgabe, ordereingang, zeitpunkt der auftragserteilung, erfasst am, erstellt, ausstellungsdatum, briefdatum, gedruckt am, orderzeitpunkt, order aufgegeben am, aufgegeben am, gultigkeit, auftragsgultigkeit, ihre order vom, ihr auftrag vom, dokument erstellt",
      en: "order date, generated date, generated at, statement date, issue date, print date, document date, date of issue, reporting period, as of, report date, order received, invoice date, date created, order time, received at, placed on, date printed, printed on, order placed, submitted, period, until, from, good until, expiry, valid until, maturity date, maturity, order entry, date of order, ordered on, order created, order submitted, order placed on, order entered, date placed, date issued, issued on, issued, created on, produced on, date of note, note date, letter date, order date time, time of order, order received at, time received, date received, printed, run date, process date, processing date, limit date, order expiry, statement period, account opened, advice date",
      fr: "date d emission, edite le, date d edition, date de l ordre, ordre du, date ordre, date de reception, emis le, periode, arrete au, jusqu au, echeance, validite, date du document, recu le, imprime le, date de passage, date de saisie, date d impression, date d envoi, date du present avis, date avis, ordre passe le, passe le, ordre recu le, saisi le, date de creation, date de validite, valable jusqu au, etabli le, date et heure de reception, ordre transmis le, date du releve, edition du, date d ouverture, date de depot",
      it: "data ordine, data documento, data di emissione, emesso il, periodo, data inserimento, data stampa, data conferimento, scadenza, validita, data ricezione, data immissione, conferito il, data di stampa, data e ora ordine, ordine del, ordine ricevuto il, data di inserimento, data di conferimento, data immissione ordine, ordine impartito il, data revoca, validita ordine, data invio, data lettera, data di ricezione, ora ordine, stampato il, data comunicazione, data elaborazione, inserito il, data contabile, data disposizione",
      es: "fecha de emision, fecha orden, fecha de la orden, emitido el, fecha emision, periodo, fecha del documento, vencimiento, validez, fecha recepcion, fecha documento, fecha impresion, fecha entrada, orden del, recibida el, fecha recepcion orden, fecha de recepcion, fecha alta, fecha de alta, fecha de entrada, fecha envio, fecha de envio, fecha validez, fecha vencimiento, valida hasta, fecha de impresion, fecha de solicitud, fecha solicitud, fecha informe, fecha de expedicion, fecha carta",
      nl: "datum order, orderdatum, aanmaakdatum, opgesteld op, afdrukdatum, periode, documentdatum, vervaldatum, ingediend, datum afschrift, aangemaakt op, datum van order, order ontvangen, ontvangen op, order geplaatst, datum ontvangst, datum ontvangst order, datum document, notadatum, datum brief, ingevoerd op, orderinvoer, geldig tot, geldigheid, afgedrukt op, datum uittreksel, opmaakdatum, ingave",
      pt: "data de emissao, data da ordem, data emissao, emitido em, periodo, validade, data do documento, vencimento, data ordem, ordem de, data de entrada, data entrada, data rececao, data de rececao, data recepcao, data impressao, data de impressao, data do extrato, valido ate, data validade, data de criacao, data da nota, data nota, data aviso, data do aviso, data doc, ordem recebida em, data extracto, data envio",
      da: "ordredato, udskrevet, udskriftsdato, dato for ordre, periode, udlob, modtaget, ordretidspunkt, oprettet, ordre modtaget, ordre afgivet, modtaget den, ordretid, afgivet, dato for udskrift, oprettelsesdato, dannet, udstedt, udstedelsesdato, gyldig til, brevdato, ordre oprettet, dokumentdato, bestilt",
      sv: "orderdatum, utskriftsdatum, period, utskriven, giltig till, forfallodag, orderdag, inlagd, order lagd, order mottagen, mottagen, mottaget, ordertid, ordertidpunkt, skapad, utfardad, utfardat, notadatum, giltig t o m, dokumentdatum, utskrivet, orderdatum tid, inkom, fakturadatum, datum for utskrift",
      no: "ordredato, utskriftsdato, periode, forfall, mottatt, ordre mottatt, ordretid, ordre lagt inn, mottatt dato, utskrevet, opprettet, utstedt, dokumentdato, gyldig til, ordreregistrering, registrert, fakturadato, utstedelsesdato",
      fi: "toimeksiantopaiva, tulostettu, paivays, erapaiva, toimeksianto annettu, toimeksianto vastaanotettu, vastaanotettu, vastaanottoaika, toimeksiantoaika, tulostuspaiva, tulostuspvm, laadittu, luotu, voimassa, voimassaolo, asiakirjan paiva, toimeksiannon paiva, annettu, tulostusaika, toimeksianto pvm",
      pl: "data zlecenia, data wystawienia, data zlozenia, data wydruku, wystawiono, data waznosci, data sporzadzenia, data przyjecia zlecenia, data zlozenia zlecenia, data przyjecia, data utworzenia, data dokumentu, data wygenerowania, wygenerowano, wazne do, waznosc, termin waznosci, data i godzina zlecenia, data otrzymania, sporzadzono dnia, data dyspozycji",
      cs: "datum pokynu, datum vystaveni, vystaveno, datum podani, datum splatnosti, platnost, datum tisku, datum prijeti, datum prijeti pokynu, prijato dne, datum zadani, datum a cas pokynu, datum zadani pokynu, cas podani, datum dokumentu, vytvoreno, datum vytvoreni, platnost do, vytisteno, zadano, datum pripravy, podano dne",
    },
  },
  isin: {
    strong: {
      xx: "isin, isin code, isin nr, isin nummer, isin no, isin kode, isin kod, codigo isin, code isin, codice isin, kod isin, waardecode, code valeur, isin koodi, isin kennung, isin kodas, isin cisslo, isin kod papieru, identyfikator isin, isin identifikator, security isin, isin cp, cod isin, cod valor, isin valor, isin codigo, isin tunnus, fondskode isin",
    },
  },
  wkn: {
    strong: {
      de: "wkn, wpknr, wp kenn nr, wertpapierkennnummer, wertpapierkenn nr, wertpapier kenn nummer, kenn nr, kennnummer, wertpapiernummer, wkn isin, wpkn, wkn nr, wp nr, wp kennnummer, wertpapierkenn nummer, titelnummer, wertpapier kennnummer",
    },
  },
  valor: {
    strong: {
      de: "valor, valoren nr, valoren, valorennummer, valoren nummer, valor nr, valor isin, nkn, valorennr, telekurs",
      en: "valor no, valor number, security number, security no, valoren number",
      fr: "no de valeur, numero de valeur, n de valeur, valeur no",
      it: "numero di valore, n di valore, no valore",
    },
  },
  cusip: { strong: { xx: "cusip, cusip no, cusip number, cusip nr, security id" } },
  sedol: { strong: { xx: "sedol, sedol code, sedol no" } },
  ticker: {
    strong: {
      xx: "symbol, ticker, ticker symbol, stock symbol, security code, stock code, simbolo, symbole, symbool, kortnavn, kortnamn, lyhenne, security symbol, asx code, wertpapierkurzel, tickersymbol, mnemo, mnemonic, instrument code, code",
    },
  },
  name: {
    strong: {
      de: "wertpapier, wertpapierbezeichnung, wertpapier bezeichnung, bezeichnung, fondsname, fonds, fondsbezeichnung, titel, titelbezeichnung, wertpapiername, gattung, gattungsbezeichnung, etf name, instrument, name, beschreibung, aktie, produkt",
      en: "security, security name, security description, stock, instrument, description, asset, fund, fund name, name of security, investment, product, company, counter, stock name, security details, investment name, issuer, name of fund, name of stock, asset name, instrument name, share, share name, stock description, instrument description",
      fr: "titre, libelle, valeur, designation, nom du titre, instrument, libelle valeur, nom de la valeur, fonds, support, libelle du titre, nom du fonds, intitule, denomination, produit, actif, emetteur, nom de l instrument, libelle de la valeur, designation du titre",
      it: "titolo, descrizione titolo, denominazione, strumento, descrizione, nome titolo, prodotto, fondo, strumento finanziario, valore mobiliare, nome strumento, desc titolo, emittente, nome del titolo, denominazione titolo, fondo comparto, comparto",
      es: "valor, titulo, descripcion, nombre del valor, instrumento, clase de valor, denominacion, producto, fondo, nombre valor, activo, emisor, nombre del fondo, descripcion valor, denominacion valor, descripcion del valor, clase valor, titulo valor, nombre",
      nl: "effect, naam, fonds, omschrijving, instrument, product, naam effect, fondsnaam, naam fonds, benaming, effectnaam, omschrijving effect, naam van het effect, beleggingsfonds, naam instrument, fondsomschrijving, uitgever",
      pt: "titulo, designacao, descricao, instrumento, nome, produto, fundo, papel, valor mobiliario, nome do titulo, ativo, especificacao do titulo, emitente, descricao do titulo, especie, nome do fundo, denominacao",
      da: "papir, vaerdipapir, vardipapir, papirnavn, fondskode, navn, instrument, fondsnavn, papirets navn, vaerdipapirnavn, aktienavn, beskrivelse, investeringsforening, vaerdipapirets navn",
      sv: "vardepapper, instrument, fond, namn, beteckning, fondnamn, vardepappersnamn, fondens namn, benamning, vardepapperets namn, vardepapperet, bolag",
      no: "verdipapir, instrument, fond, navn, papir, verdipapirnavn, verdipapirets navn, aksje, beskrivelse, selskap",
      fi: "arvopaperi, instrumentti, rahasto, nimi, osake, arvopaperin nimi, arvopaperilaji, rahaston nimi, kohde, kuvaus, instrumentin nimi, osakelaji, yhtio",
      pl: "papier wartosciowy, nazwa, instrument, walor, nazwa papieru, fundusz, nazwa instrumentu, instrument finansowy, nazwa papieru wartosciowego, nazwa funduszu, nazwa waloru, emitent, nazwa spolki, opis, papier, akcje",
      cs: "cenny papir, nazev, instrument, titul, nazev cp, fond, emise, nazev cenneho papiru, nazev titulu, nazev instrumentu, investicni nastroj, nastroj, emitent, nazev fondu, akcie, nazev emise, popis",
    },
  },
  reference: {
    strong: {
      de: "referenz, referenz nr, referenznummer, auftragsnummer, ordernummer, order nr, auftrags nr, abrechnungsnummer, abrechnungs nr, rechnungsnummer, rechnungs nr, geschaftsnummer, geschafts nr, auftragsreferenz, belegnummer, order id, trade id, unsere referenz, vorgangsnummer, transaktionsnummer, auftrag nr, ordernr, umsatzreferenz, auftrag, dokumentnummer, beleg nr, transaktionsreferenz, geschaftsnr, mandatsreferenz, auszug, abrechnungsnr",
      en: "reference, ref, ref no, reference no, reference number, order id, order no, order number, trade id, trade number, contract number, contract note number, confirmation number, transaction id, transaction number, our reference, bargain reference, deal reference, trans no, invoice number, contract no, booking amount id, execution id, trade reference, order reference, confirmation no, deal no, contract note no, note number, note no, deal number, deal ref, deal id, bargain ref, bargain no, bargain number, transaction ref, transaction reference, transaction no, trade no, trade ref, trn, order ref, confirm no, confirmation ref, document no, document number, advice no, contract ref, contract note ref, our ref, your ref, ticket, ticket no, ticket number, blotter, fill id, exec id",
      fr: "reference, numero d ordre, n ordre, numero de transaction, no de reference, notre reference, ref, numero d avis, reference de l ordre, ordre n, n operation, numero operation, no d ordre, numero avis, n avis, no avis, numero de l ordre, reference operation, reference de l operation, reference transaction, no transaction, no ordre, numero de reference, no operation, code operation, numero d operation, n de transaction",
      it: "riferimento, numero ordine, n ordine, numero operazione, rif, nostro riferimento, numero riferimento, id ordine, protocollo, n operazione, codice ordine, n ro ordine, nr ordine, rif operazione, rif ordine, riferimento ordine, riferimento operazione, num ordine, num operazione, nr operazione, numero nota, nota n, numero contratto, id operazione, codice operazione, numero documento, progressivo",
      es: "referencia, numero de orden, n orden, numero operacion, n operacion, ref, nuestra referencia, numero de referencia, orden, num orden, n de orden, codigo orden, num operacion, no operacion, no orden, nro orden, referencia orden, referencia operacion, codigo operacion, id orden, numero de operacion, n de operacion, no de operacion, numero de contrato, documento, n ref, numero documento",
      nl: "referentie, ordernummer, transactienummer, borderel, kenmerk, order id, documentreferte, ref, referte, borderelnummer, notanummer, ordernr, orderreferentie, transactiereferentie, onze referentie, uw referentie, transactie nr, nota nr, ref nr, contractnota, referentienummer, borderel nr, verrichtingsnummer, afrekening nr, volgnummer",
      pt: "referencia, numero da ordem, n ordem, numero de operacao, n operacao, ordem n, numero ordem, n da ordem, no da ordem, ordem, nota, n da nota, no da nota, nr nota, numero da nota, num ordem, n de operacao, no de operacao, numero operacao, documento, n documento, nr ordem, numero do negocio, id ordem",
      da: "ordrenummer, ordrenr, handelsnummer, reference, fondsnotanr, notanummer, notanr, afregningsnr, fondsnota, ordre nr, nota nr, handelsnr, handels id, ordre id, vores reference, bilagsnr, transaktionsnr, ref nr, handelsreference, afregningsnummer",
      sv: "ordernummer, notanummer, referens, avrakningsnota, affarsnummer, avslutsnummer, notanr, ordernr, nota nr, avslutsnr, affars id, referensnummer, verifikationsnummer, affarsnr, var referens, avsluts id, fakturanummer",
      no: "ordrenummer, referanse, sluttseddelnummer, ordrenr, sluttseddelnr, transaksjonsnummer, ordre nr, ordre id, sluttseddel nr, referansenummer, var referanse, transaksjonsnr, transaksjons id, avtalenummer, handel id, oppdragsnummer, bilagsnummer",
      fi: "viite, toimeksiantonumero, kaupan numero, viitenumero, laskelmanumero, toimeksianto, toimeksiannon numero, toimeksianto nro, kauppanumero, kaupan nro, kauppatunnus, tositenumero, tapahtumanumero, toimeksianto id, viitenro, laskelman numero, asiakirjan numero, kauppa nro",
      pl: "numer zlecenia, numer transakcji, referencja, nr zlecenia, nr transakcji, nr referencyjny, numer referencyjny, id zlecenia, id transakcji, nr dyspozycji, numer dyspozycji, numer potwierdzenia, nr potwierdzenia, numer dokumentu, nr dokumentu",
      cs: "cislo pokynu, cislo obchodu, reference, cislo transakce, id obchodu, cislo konfirmace, cislo potvrzeni, cislo dokladu, id pokynu, id transakce, c pokynu, c obchodu, referencni cislo, evidencni cislo, cislo objednavky, poradove cislo",
    },
  },
  account: {
    strong: {
      de: "depotnummer, depot nr, depotnr, depot, konto, konto nr, kontonummer, depotkonto, kundennummer, kunden nr, verrechnungskonto, iban, portfolio nr, portfolio nummer, wertpapierdepot, kunde, kontonr, blz, bankleitzahl, bic, stammnummer, unterdepot, unterkonto, abrechnungskonto, kontokorrent, rahmenvertrag, personalnummer, portfolio, telefon, tel, fax, telefax, postfach, ust idnr, ust id nr, hrb, hra, steuernummer, steuer id, identifikationsnummer, seite, blatt, uid, mwst nr, fn, dvr, filiale, lei, paragraph, abs, limit, stop, stoplimit, limitpreis, kurslimit",
      en: "account, account no, account number, account nr, client, client no, customer no, customer number, account id, portfolio, iban, sort code, bic, master account no, participant no, phone, telephone, fax, page, vat number, tax id, abn, acn, po box, hin, pid, investor number, lei, registered number, limit, limit price, stop price, client ref, client reference, customer, customer id, client id, client code, client number, investor id, investor no, member number, membership number, sub account, subaccount, designation, frn, company number, registered in, reg no, registration number, company registration, gst reg no, vat no, vat reg no, afsl, acn no, phone number, extension, ext, postcode, zip, mic, trigger price, broker code, adviser code, advisor code, rep code, branch, office",
      fr: "compte, compte n, numero de compte, no de compte, n de compte, compte titres, client, n client, portefeuille, iban, compte especes, telephone, page, siren, rcs, siret, tel, capital de, au capital, code postal, numero client, limite, cours limite, compte espece, compte de depot, numero de contrat, contrat, racine, code client, numero de portefeuille, no de client, capital social, orias, ape, naf, tva intracommunautaire, no tva, guichet, agence, cedex",
      it: "conto, conto corrente, numero conto, n conto, dossier, dossier titoli, deposito, iban, codice cliente, rubrica, deposito titoli, pagina, telefono, tel, partita iva, codice fiscale, p iva, c f, limite, prezzo limite, abi, cab, capitale sociale, cliente, conto titoli, conto deposito, conto di regolamento, agenzia, ndg, codice rapporto, rapporto, n cliente, numero cliente, rea, registro imprese, albo, cap, cod fiscale, deposito amministrato, c c",
      es: "cuenta, cuenta valores, numero de cuenta, n cuenta, contrato, expediente, iban, cuenta corriente, cliente, pagina, telefono, nif, cif, limite, oficina, tomo, folio, ccv, cuenta de valores, cuenta asociada, precio limite, codigo cliente, numero de cliente, n cliente, contrato de valores, sucursal, hoja, seccion, inscripcion, libro, cuenta de efectivo, codigo cuenta, ccc, c i f, n i f, cuenta de abono, cuenta de cargo, apdo, codigo postal, dni",
      nl: "rekening, rekeningnummer, effectenrekening, klantnummer, iban, rekening nr, pagina, telefoon, kvk, limiet, limietkoers, tel, rpr, dossiernummer, bic, klant, klantennummer, effectendossier, geldrekening, btw nr, btw, ondernemingsnummer, on nr, kantoor, postbus, contractnummer, rekeninghouder nr, relatienummer, cliëntnummer, clientnummer",
      pt: "conta, numero de conta, conta n, conta titulos, cliente, iban, pagina, telefone, nif, limite, nipc, conta de titulos, contribuinte, n de conta, conta de valores, conta a ordem, numero de cliente, n cliente, codigo cliente, codigo do cliente, balcao, agencia, cnpj, cpf, nuc, pessoa coletiva, conservatoria, capital social, carteira, cod cliente",
      da: "konto, kontonummer, depot, depotnummer, kontonr, depotnr, kundenummer, side, telefon, cvr, limit, tlf, cvr nr, reg nr, kunde, depot konto, afkastkonto, afregningskonto, kundenr, vp konto, cpr, reg nr konto, afdeling, saelger, telefonnr, postboks, vp depot",
      sv: "konto, kontonummer, depa, depanummer, depanr, kundnummer, sida, telefon, org nr, limit, kundnr, depot, kund, depa nr, vp konto, vp kontonummer, personnummer, organisationsnummer, orgnr, likvidkonto, avkastningskonto, box, clearingnummer, postgiro, bankgiro, kontor, plusgiro",
      no: "konto, kontonummer, depot, depotnummer, kundenummer, side, telefon, org nr, limit, kunde, vps konto, vps kontonummer, vps, kunde nr, organisasjonsnummer, orgnr, fodselsnummer, postboks, oppgjorskonto, bankkonto, avdeling, megler, kundenr, foretaksregisteret, kontofører",
      fi: "tili, tilinumero, arvo osuustili, sailytys, asiakasnumero, sivu, puhelin, y tunnus, raja, asiakas, sailytystili, arvo osuustilin numero, asiakas nro, asiakasnro, tilinro, hoitotili, sailytysnumero, sailytyksen numero, postilokero, konttori, puh, sopimusnumero, salkku, salkkunumero",
      pl: "rachunek, numer rachunku, nr rachunku, klient, strona, telefon, nip, limit, regon, krs, numer klienta, numer rachunku inwestycyjnego, rachunek inwestycyjny, rachunek maklerski, nr klienta, nr umowy, numer umowy, umowa, pesel, kapital zakladowy, oddzial, id klienta, nr rach, nrb",
      cs: "ucet, cislo uctu, majetkovy ucet, klient, strana, telefon, ico, limit, dic, cislo klienta, smlouva, cislo smlouvy, cislo klientskeho uctu, klientske cislo, cislo majetkoveho uctu, obchodni ucet, penezni ucet, bankovni ucet, rodne cislo, zakladni kapital, pobocka, id klienta, spisova znacka",
    },
  },
  holder: {
    strong: {
      de: "depotinhaber, kontoinhaber, inhaber",
      en: "account holder, account name, client name, holder, name of account",
      fr: "titulaire",
      it: "intestatario, intestazione, intestato a",
      es: "titular",
      nl: "rekeninghouder, houder, titularis",
      pt: "titular",
      da: "kontohaver, depothaver",
      sv: "kontohavare, depainnehavare, depahavare",
      no: "kontoinnehaver",
      fi: "tilinomistaja, omistaja",
      pl: "wlasciciel",
      cs: "majitel, majitel uctu",
    },
  },
  noise: {
    strong: {
      de: "bemessungsgrundlage, *bemessungsgrundlage, steuerpflichtig*, kapitalertragsteuerpflichtig*, bestand, bestand alt, bestand neu, neuer bestand, alter bestand, saldo, *saldo, kontostand, einstandswert, einstandskurs, einstandspreis, anschaffung*, verausserungsgewinn, verausserungsergebnis, verausserungsgewinn, verausserungsverlust, *gewinn, *verlust, verlusttopf, *verlusttopf, *verrechnungstopf, verlustverrechnungs*, sparerpauschbetrag, sparer pauschbetrag, freistellungsauftrag, *freistellungsauftrag, teilfreistellung, *teilfreistellung, ersatzbemessung*, vorabpauschale, zwischengewinn, realisierter erfolg, erfolg, kirchensteuersatz, steuersatz, freibetrag, verrechnete*, verrechnung*topf, ertragsanteil, quellensteuertopf, *guthaben, anrechenbare*, anrechnung*, stand, verandung, veranderung, haltedauer, rendite, laufzeit, performance, wertentwicklung, verzinsung, zinssatz, nominalzins, kupon, risikoklasse, jahres*, pauschbetrag, verbraucht, noch verfugbar, verfugbar*, kostenausweis, kapitalertrage, kapitalertrag, ertrage, ausserordentlich*, akkumuliert*, *fiktion, fiktiv*, unverbindlich*, enthaltene*, darin enthalten, davon, inklusive, reduktion der rendite, referenzpreis, marktpreis, indikativ*, bewertung, bewertet, grundlage, topf, grundkapital, stammkapital, mindest*, maximal, hochstens, restbestand, gesperrt, ubertrag, kumuliert, prospekt, ratierlich*, *fahig*",
      en: "balance, opening balance, closing balance, taxable, cost basis, gain, loss, realized, realised, gain loss, holding, holdings, position, average cost, book value, acquisition, ytd, year to date, p l, profit, contribution limit, closing price, close price, yield, coupon rate, interest rate, performance, risk, accumulated contributions, accumulated, market value at purchase, previous, remaining, total gain, fair market value, exemption, allowance, estimated, total holding, unsettled, available",
      fr: "solde, ancien solde, nouveau solde, plus value, moins value, pmp, prix de revient, assiette, encours, position, plus values, base imposable, solde precedent, rendement, taux, prix moyen d achat, valorisation, capital social",
      it: "saldo, saldo iniziale, saldo finale, plusvalenza, minusvalenza, base imponibile, imponibile, giacenza, prezzo medio di carico, zainetto, plusvalenze, minusvalenze, prezzo di carico, rendimento, valore di carico, posizione, patrimonio",
      es: "saldo, saldo anterior, saldo actual, plusvalia, minusvalia, base imponible, coste medio, posicion, rentabilidad, saldo nuevo, valoracion, rendimiento, ganancia, perdida",
      nl: "saldo, vorig saldo, nieuw saldo, basisbedrag, meerwaarde, positie, beginsaldo, eindsaldo, rendement, belastbaar, gemiddelde aankoopprijs, winst, verlies",
      pt: "saldo, saldo anterior, saldo atual, mais valia, menos valia, base tributavel, posicao, rentabilidade, saldo final, carteira, materia coletavel",
      da: "saldo, ny beholdning, gammel beholdning, gevinst, tab, anskaffelsessum, gennemsnitlig anskaffelseskurs, afkast, ny saldo, anskaffelse*, realiseret",
      sv: "saldo, innehav, vinst, forlust, anskaffningsvarde, avkastning, nytt innehav, resultat, omkostnadsbelopp, gav",
      no: "saldo, beholdning, gevinst, tap, kostpris, avkastning, inngangsverdi, ny beholdning",
      fi: "saldo, voitto, tappio, hankintahinta, hankintameno, tuotto, omistus, luovutusvoitto",
      pl: "saldo, zysk, strata, koszt nabycia, stan, stan rachunku",
      cs: "zustatek, zisk, ztrata, nabyvaci cena, stav, vynos, stav uctu",
    },
  },
};
