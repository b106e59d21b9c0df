/**
 * What the printed words around a value say about it, by concept and language. Phrases are divided
 * by commas and folded before use; a star stands for any letters of a word. "weak" words name the
 * concept only when nothing better is near.
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
  /** Names the concept where no stronger word does. */
  fair?: Readonly<Record<string, string>>;
  weak?: Readonly<Record<string, string>>;
}

export const LABELS: Readonly<Record<Concept, ConceptWords>> = {
  quantity: {
    strong: {
      de: "stuck, stk, st, stucke, stucknominale, stuckzahl, anzahl, anzahl anteile, anzahl stucke, anzahl betrag, menge, nennwert, nominal, nominale, nominalbetrag, nennbetrag, anteile, anteil stuck, anteilumsatz, umsatz anteile, umsatz in anteilen, umsatz stuck, nominal stuck, stuck nominal, stuck nominale, ausgefuhrt, anteile stuck, einheiten, gehandelte stuck, ausgefuhrte stuck, ausgefuhrte menge, anteil, stuck anteile, anteilszahl, nominale stuck",
      en: "quantity, qty, unit, units at price, quantity units, shares units, executed shares, filled qty, order quantity, total quantity, number of shares, no of shares, shares, units, no of units, number of units, share quantity, shares sold, shares purchased, shares bought, quantity filled, executed quantity, filled quantity, face value, nominal value, nominal amount, volume, share amount, amount of shares, quantite",
      fr: "quantite, nombre de titres, nombre de parts, nombre, nombre d actions, quantite negociee, quantite executee, nominal, parts, titres, actions, qte, nombre parts",
      it: "quantita, numero, numero titoli, numero azioni, quantita nominale, valore nominale, nominale, quote, numero quote, n quote, q ta, quantita eseguita, qta, capitale nominale",
      es: "cantidad, n titulos, numero de titulos, titulos, num titulos, participaciones, numero de participaciones, n participaciones, nominal, acciones, num valores, numero de acciones, valores, efectos",
      nl: "aantal, hoeveelheid, stuks, aantal stuks, nominaal, nominale waarde, aantal effecten, aantal participaties, participaties, aandelen, aantal aandelen",
      pt: "quantidade, qtd, qtde, numero de titulos, titulos, unidades de participacao, n de acoes, quantidade executada, ups",
      da: "antal, stk, styk, antal stk, nominel, nominelt, handlet antal, kursvaerdi antal, antal nominel, palydende, beholdning",
      sv: "antal, st, antal andelar, andelar, nominellt, nominellt belopp, antal nominellt, volym, antal aktier",
      no: "antall, antall andeler, andeler, palydende, antall aksjer, volum",
      fi: "maara, kpl, kappalemaara, kappaletta, nimellisarvo, osuudet, osuuksien maara, lkm",
      pl: "ilosc, liczba, liczba sztuk, liczba akcji, sztuk, szt, wolumen, liczba jednostek, wartosc nominalna, liczba papierow",
      cs: "mnozstvi, pocet, pocet kusu, kusu, ks, objem v ks, pocet cp, jmenovita hodnota, nominalni hodnota, pocet akcii",
    },
    weak: {
      de: "umsatz, ordervolumen, order",
      en: "no, number, pcs, lot, lots, pieces",
      fr: "pcs",
    },
  },
  price: {
    strong: {
      de: "kurs, preis, festpreis, festpreis pro stuck, preis pro stuck, zum kurs, zum kurs von, kurs in, ausfuhrungskurs, ausfuhrungspreis, *kurs, kurs kaufpreis, preis pro anteil, preis je anteil, kaufpreis je anteil, anteilpreis, *preis von, zum preis von, stuckpreis, trans preis, transaktionspreis, handelspreis, ausgabepreis, rucknahmepreis, anteilspreis, abrechnungskurs, abrechnungspreis, fondspreis, kurs preis, preis kurs, preis stuck, kurs stuck, preis je stuck, durchschnittskurs, mischkurs, preis vom, nettoinventarwert, nav, bezugspreis, emissionspreis, wert pro anteil, kurs je stuck, einzelpreis, kurs vom",
      en: "price, unit price, price per share, share price, execution price, effective price, average price, avg price, trade price, price per unit, executed price, dealing price, t price, price in, sale price, purchase price, price unit, market price, strike price, fill price, avg execution price",
      fr: "cours, prix, prix unitaire, cours d execution, prix d execution, cours execute, valeur liquidative, vl, cours unitaire, prix par part, prix moyen, cours moyen, prix net",
      it: "prezzo, prezzo unitario, prezzo di esecuzione, prezzo eseguito, prezzo medio, corso, corso secco, valore quota, nav, prezzo di mercato, prezzo operazione",
      es: "precio, cambio, precio unitario, precio de ejecucion, cotizacion, precio medio, precio neto, valor liquidativo, precio ejecucion, precio titulo, precio bruto, cambio medio",
      nl: "koers, prijs, uitvoeringskoers, uitvoeringsprijs, prijs per, koers per, koers per stuk, gemiddelde koers, netto inventariswaarde, transactiekoers, prijs per stuk",
      pt: "preco, preco unitario, cotacao, preco medio, preco de execucao, preco executado, valor da up, preco cotacao",
      da: "kurs, handelskurs, pris, gennemsnitskurs, enhedspris, kurs pr stk",
      sv: "kurs, pris, avslutskurs, genomsnittskurs, pris per andel, handelskurs, kurs per andel, nav kurs, snittkurs",
      no: "kurs, pris, snittkurs, gjennomsnittskurs, handelskurs, pris per andel, andelskurs",
      fi: "hinta, kurssi, kauppahinta, keskikurssi, yksikkohinta, toteutushinta, osuuden arvo, keskihinta",
      pl: "cena, kurs, cena jednostkowa, kurs wykonania, cena transakcji, cena realizacji, srednia cena, wartosc jednostki",
      cs: "cena, kurz, jednotkova cena, cena za kus, cena obchodu, realizacni cena, prumerna cena, cena ks, cena za 1 ks",
    },
    weak: { xx: "at, zu je, a, aan, zu, @, je, per, rate, gross rate, net rate" },
  },
  gross: {
    strong: {
      de: "kurswert, *kurswert, kurswert in, bruttobetrag, transaktionswert, handelswert, brutto, kaufpreis, verkaufspreis, marktwert, gehandelter wert, aktienbetrag, abrechnungsbetrag brutto, bruttowert, gegenwert, auftragsvolumen, kurswert betrag, transaktionsvolumen, ausfuhrungswert, effektiver kurswert, wert der transaktion, anlagebetrag, wert",
      en: "gross amount, grossamount, gross consideration, consideration, principal, principal amount, gross, trade value, traded value, market value, gross proceeds, gross value, sale proceeds, gross trade amount, trade amount, transaction value, share value, order value, gross transaction amount, investment amount, gross money, contract value, total value, value of shares",
      fr: "montant brut, brut, montant brut de l operation, valeur brute, montant des titres, montant negocie, montant transaction, capital",
      it: "controvalore, controvalore lordo, importo lordo, lordo, controvalore operazione, ctv, ctv lordo, importo operazione, controvalore titoli, controvalore in divisa, valore di mercato, controvalore secco",
      es: "importe bruto, efectivo bruto, bruto, importe efectivo, efectivo, valor efectivo, total bruto, importe operacion",
      nl: "bruto bedrag, brutobedrag, bruto, effectieve waarde, marktwaarde, orderwaarde, effectenwaarde, tegenwaarde, lokale waarde, waarde",
      pt: "valor bruto, montante bruto, bruto, valor da transacao, valor da operacao, total bruto, valor transacao",
      da: "kursvaerdi, kursvardi, bruttobelob, handelsbelob, handelsvaerdi, brutto",
      sv: "kursvarde, bruttobelopp, brutto, avslutsbelopp, handelsbelopp, marknadsvarde",
      no: "kursverdi, bruttobelop, brutto, handelsbelop, kjopesum",
      fi: "kauppasumma, bruttosumma, brutto, kaupan arvo, kurssiarvo",
      pl: "wartosc brutto, wartosc transakcji, kwota brutto, wartosc zlecenia, wartosc, kwota transakcji",
      cs: "hruba castka, objem obchodu, hodnota obchodu, objem, hodnota transakce, hruby objem, trzni hodnota, celkova cena",
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
      de: "ausmachender betrag, endbetrag, nettobetrag, netto, gesamtbetrag, abrechnungsbetrag, abrechnungsendbetrag, verrechneter betrag, rechnungsbetrag, zahlbetrag, buchungsbetrag, kundenendbetrag, endwert, gesamtsumme, betrag zu ihren, totalbetrag, total in kontowahrung, gebuchter betrag, valuta betrag, gesamtkosten, verrechnungsbetrag, summe gesamt, total transaktion, betrag netto, nettoerlos, verrechnungstotal, verrechnet, belasteter betrag, gutgeschriebener betrag, zu zahlen, schlussbetrag, gesamtabrechnung, zahlungsbetrag, ausmachend*, endsumme, gesamt betrag, abrechnungsbetrag eur",
      en: "net amount, net amount payable, net amount receivable, total cost incl, net settlement, total debit amount, total credit amount, amount to settle, total amount due, total cash, net cost, total cost, total amount, net, amount due, net consideration, total consideration, settlement amount, net proceeds, net cash proceeds, total cost, net money, net settlement amount, amount payable, total due, net total, grand total, net cash, booked amount, amount booked, net value, total payable, total net amount, net trade amount, total settlement, balance due, amount to pay, total proceeds, net amount due, total payment, cash amount, net transaction amount, total cost proceeds, amount due payable, settlement value",
      fr: "montant net, net a debiter, net a crediter, net a payer, montant total, montant net total, montant comptabilise, solde, net, total net, montant a debiter, montant a crediter, net debite, net credite, montant net debit, montant net credit, montant regle, montant net de l operation, total general",
      it: "importo netto, netto, controvalore netto, totale netto, importo totale, totale operazione, netto a vostro, importo regolato, totale a debito, totale a credito, totale addebito, totale accredito, importo a vostro debito, importo a vostro credito, saldo, importo addebitato, importo accreditato, netto operazione, totale a pagare, netto a pagare",
      es: "importe neto, neto, total neto, importe liquido, liquido, total a pagar, importe total, neto a pagar, total liquido, total cargo, total abono, importe a cargo, importe a abonar, efectivo neto, total operacion, neto a percibir, liquido a percibir, liquido a pagar, total a cobrar, adeudo, efectivo total",
      nl: "netto bedrag, nettobedrag, netto, totaalbedrag, te betalen, te ontvangen, netto debit, netto credit, totaal bedrag, netto te betalen, afrekeningsbedrag, afrekening, eindbedrag, netto ontvangen, netto betaald, geboekt bedrag, totaal te betalen, totaal te ontvangen, totaal netto, verrekend bedrag",
      pt: "valor liquido, montante liquido, liquido, total liquido, total a pagar, valor a debitar, valor a creditar, total a debitar, total a creditar, montante total, total da operacao, valor total, importancia liquida",
      da: "afregningsbelob, nettobelob, netto, belob i alt, afregnet, til afregning, afregning, samlet belob, afregnes, total belob, i alt til afregning",
      sv: "nettobelopp, netto, likvidbelopp, likvid, totalbelopp, att betala, att erhalla, slutlikvid, summa att, avrakningsbelopp, totalt belopp",
      no: "nettobelop, netto, oppgjorsbelop, a betale, totalbelop, sluttbelop, til gode, netto belop, totalt belop, nettosum",
      fi: "nettosumma, netto, maksettava, loppusumma, kokonaissumma, tilitettava, maksettava summa, yhteissumma, kauppahinta yhteensa, veloitetaan, hyvitetaan, kaupan kokonaissumma",
      pl: "kwota netto, wartosc netto, do zaplaty, razem do zaplaty, kwota rozliczenia, netto, kwota do rozliczenia, suma do zaplaty, wartosc rozliczenia, kwota calkowita, laczna kwota",
      cs: "cista castka, celkova castka, k uhrade, castka k vyporadani, netto, celkem k uhrade, vyporadaci castka, cisty objem, celkova hodnota, celkem k vyplate, castka vyporadani",
    },
    weak: {
      de: "gesamt, total, betrag, *betrag, summe, *summe",
      en: "total, amount, proceeds, value",
      fr: "total, montant",
      it: "totale, importo",
      es: "total, importe",
      nl: "totaal, bedrag",
      pt: "total, montante, valor",
      da: "i alt, belob",
      sv: "totalt, belopp, summa",
      no: "totalt, belop, sum",
      fi: "yhteensa, summa",
      pl: "razem, suma, kwota",
      cs: "celkem, castka",
    },
  },
  debit: {
    strong: {
      de: "zu ihren lasten, zu lasten, zu lasten konto, belastung, lastschrift, wir belasten, belastet, endbetrag zu ihren lasten, betrag zu ihren lasten, zu deinen lasten, betrag zu lasten, belastung ihres kontos, zu ihren lasten nach steuern, soll, wir buchen ab, einzugsbetrag, lastschrifteinzug, einzug, abbuchung, wir ziehen, abgebucht, belastung konto, zulasten",
      en: "to your debit, debited, amount debited, total debit, net debit, you pay, debit amount, total charged, total to pay, amount charged, to be debited, debit, total payable by you, you owe",
      fr: "a votre debit, debit, net au debit, montant debite, a debiter, net a votre debit, au debit de votre compte, total a debiter, a votre charge, total debit",
      it: "a vostro debito, a debito, a suo debito, addebito, importo a debito, totale a vostro debito, netto a debito, a tuo debito, vostro debito, addebitiamo",
      es: "a su cargo, cargo, a cargo, total a su cargo, adeudo, cargo en cuenta, importe cargado, total cargo, importe adeudado",
      nl: "te uwen laste, ten laste van, netto debit, debet, ten laste, afgeschreven, te debiteren, netto debet",
      pt: "a debito, debito, valor a debito, total a debito, a seu debito",
      da: "til debitering, haeves, debiteres, haeves pa konto, trakkes, debiteret",
      sv: "att betala, debiteras, belastas, debet, belopp att betala",
      no: "a betale, belastes, trekkes, debiteres, belop a betale",
      fi: "veloitetaan, veloitus, tililta veloitetaan, maksettavaa",
      pl: "obciazenie, do zaplaty, obciazamy",
      cs: "k tizi, odepsano, zatizeni, k uhrade klientem",
    },
  },
  credit: {
    strong: {
      de: "zu ihren gunsten, zu gunsten, zugunsten, gutschrift, wir schreiben gut, gutgeschrieben, gutschriftsbetrag, endbetrag zu ihren gunsten, betrag zu ihren gunsten, zu deinen gunsten, betrag zu gunsten, gutschrift auf ihrem konto, zu ihren gunsten nach steuern, haben, gutschrift konto, auszahlungsbetrag, auszahlung, erlos, verkaufserlos",
      en: "to your credit, credited, amount credited, total credit, net credit, you receive, credit amount, to be credited, credit, amount received, net proceeds to you",
      fr: "a votre credit, credit, net au credit, montant credite, a crediter, net a votre credit, au credit de votre compte, total a crediter, en votre faveur, total credit",
      it: "a vostro credito, a credito, a suo credito, accredito, importo a credito, totale a vostro credito, netto a credito, a tuo credito, vostro credito, accreditiamo",
      es: "a su favor, abono, a favor, total a su favor, abono en cuenta, importe abonado, total abono",
      nl: "te uwen gunste, ten gunste van, netto credit, credit, ten gunste, bijgeschreven, te crediteren",
      pt: "a credito, credito, valor a credito, total a credito, a seu credito, a seu favor",
      da: "til kreditering, indsaettes, krediteres, indsattes, indsaettes pa konto, krediteret",
      sv: "att erhalla, krediteras, insattning, kredit, belopp att erhalla",
      no: "til gode, godskrives, krediteres, innsettes, belop til gode",
      fi: "hyvitetaan, hyvitys, tilille hyvitetaan",
      pl: "uznanie, do wyplaty, uznamy",
      cs: "ve prospech, pripsano, k vyplate klientovi",
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
      de: "provision, *provision, *provisionen, gebuhr, gebuhren, *gebuhr, *gebuhren, *gebuehr, *gebuehren, entgelt, *entgelt, *entgelte, spesen, *spesen, courtage, *courtage, kommission, *kommission, *kommissionen, kosten, *kosten, *auslagen, auslagen, ausgabeaufschlag, *aufschlag, *pauschale, maklergebuhr, brokerage, transaktionskosten, fremdspesen, *abgaben, borsenabgaben, abwicklung, clearing, *marge, aufschlag, agio, rabatt, *rabatt, bonifikation, *bonifikation, *ermassigung, discount, diverse, lieferspesen, schlussnote, *lieferung, variabl* borsenspes*, eig spesen, fr spesen, porto, *leistungen, borsenplatzabhang* entgelt, kundenbonifikation, *kostenzuschlag, *kostenpauschale, fremde kosten",
      en: "commission, commissions, fee, fees, brokerage, broker fee, brokers commission, charges, charge, brokerage fee, trading fee, exchange fee, transaction fee, clearing fee, settlement fee, handling fee, sec fee, taf fee, regulatory fee, platform fee, service fee, total fees, total charges, comm, comm fee, comm fees, costs, total trading costs, trading costs, dealing charge, ptm levy, levy, levies, dealing commission, transaction costs, brokerage gst, third party fees, broker charge, conversion fee, fx fee, exchange fees, admin fee, entry charge, sales charge, other fees, stock exchange fee, autofx, markup, brokerage commission, third party costs, custody fee, surcharge, cost surcharge, external cost surcharge, external costs, external fee, settlement cost, cost, incl gst, inc gst, including gst, costs incl gst, brokerage incl gst, brokerage inc gst, brokerage including gst, brokerage costs incl gst, incl vat, trading access fee, platform charge, sebi turnover fees, exchange transaction charges, turnover charges, ccass fee, transaction levy, frc levy, afrc levy, activity assessment fee, additional fees, contract fee, dealing fee, nscc fee, regulatory transaction fee, orf, occ fee, agency processing fee, ticket charge, postage and handling, supplemental fee, initial charge, exit fee, redemption fee, front end load, platform fees, fx charge, currency conversion fee, currency conversion charge, foreign exchange fee, spread, trade commission, flat fee, minimum commission",
      fr: "frais, commission, commissions, courtage, *courtage, frais de courtage, droits de garde, commission de courtage, total frais, frais de bourse, droits, frais divers, frais de transaction, frais de marche, frais d execution, frais et commissions, honoraires, courtage et commission, droits d entree, frais sur ordre, frais de negociation, frais de change, couts, cout, supplement, frais externes",
      it: "commissioni, commissione, spese, spesa, costi, costo, diritti, commissioni di negoziazione, spese fisse, commissione di intermediazione, oneri, costo esecuzione, bolli e spese, recupero spese, diritti fissi, provvigioni, provvigione, commissioni bancarie",
      es: "comision, comisiones, gastos, gasto, corretaje, canon, canones, comision de intermediacion, gastos de bolsa, cargos, tarifa, tasas de bolsa, corretajes, gastos operacion, canon bolsa, gastos corretaje, comision cambio, gastos y comisiones, tarifa plana, costes, coste, costes de terceros",
      nl: "kosten, *kosten, commissie, commissies, provisie, makelaarsloon, transactiekosten, kosten derden, *loon, vergoeding, beurskosten, brokerkosten, *commissie, *provisie, servicekosten, externe kosten, wisselkosten, makelaarsprovisie",
      pt: "comissao, comissoes, corretagem, despesas, taxas, taxa, custos, encargos, comissao de corretagem, taxa de bolsa, comissao de bolsa, custos de bolsa, emolumentos, comissao de execucao",
      da: "kurtage, gebyr, gebyrer, *gebyr, *kurtage, omkostninger, *omkostninger, provision, handelsomkostninger, valutaomkostninger, vekselgebyr",
      sv: "courtage, avgift, avgifter, *avgift, *avgifter, kurtage, provision, valutavaxlingsavgift, utlandsk avgift",
      no: "kurtasje, gebyr, gebyrer, *gebyr, avgift, omkostninger, *kostnader, kostnader, provisjon, valutapaslag",
      fi: "palkkio, palkkiot, *palkkio, *palkkiot, kulut, *kulut, valityspalkkio, kaupankayntikulut, toimeksiantopalkkio, merkintapalkkio, lunastuspalkkio",
      pl: "prowizja, *prowizja, oplata, oplaty, koszty, prowizje, oplata transakcyjna, koszty transakcyjne, prowizja maklerska",
      cs: "poplatek, poplatky, provize, naklady, poplatek za obchod, poplatky celkem, transakcni poplatek, poplatek za zprostredkovani",
    },
  },
  tax: {
    strong: {
      de: "kapitalertragsteuer, kapitalertragssteuer, abgeltungssteuer, abgeltungsteuer, solidaritatszuschlag, soli, kirchensteuer, quellensteuer, *steuer, *steuern, steuern, stempelsteuer, stempelabgabe, stempelabgaben, *stempelabgabe, eidg stempelsteuer, finanztransaktionssteuer, finanztransaktionsteuer, umsatzabgabe, eidg umsatzabgabe, kest, kest i, kest ii, kest iv, kest v, kest vi, steuerabzug, steuerausgleich, borsenumsatzsteuer, abgabe, *stempel, umsatzstempel, stempelgebuhr, *stempelgebuhr, mehrwertsteuer, mwst, verrechnungssteuer, eu quellensteuer, gesamtsumme steuern, summe steuern, steuern gesamt, steuerbetrag, summe der steuern, gesamtbetrag steuern, steuern total",
      en: "tax, taxes, stamp duty, withholding tax, transaction tax, financial transaction tax, federal stamp duty, gst, vat, stamp duty reserve tax, sdrt, ftt, sales tax, stamp tax, total tax, capital gains tax, swiss stamp duty, duty, total taxes, taxes total, tax total, tax amount, securities transaction tax, stt, igst, cgst, sgst, service tax, transfer stamp, stamp, irish stamp duty, french ftt, italian ftt, spanish ftt, hst, pst, foreign tax, non resident tax, nra tax",
      fr: "impot, impots, taxe, taxes, taxe sur les transactions financieres, ttf, tva, droit de timbre, timbre federal, prelevement, prelevements, taxe sur les operations de bourse, tob, prelevements sociaux, csg, crds, retenue a la source, taxe boursiere, taxe de bourse, timbre, impot de bourse, droits de timbre",
      it: "imposta, imposte, imposta di bollo, bollo, tobin tax, ritenuta, ritenute, tassa, tasse, imposta sostitutiva, ritenuta fiscale, iva, imposta capital gain, imposta sulle transazioni finanziarie, ftt, capital gain, tassazione, imposte e tasse",
      es: "impuesto, impuestos, retencion, retenciones, iva, itf, impuesto transacciones financieras, tasa tobin, retencion irpf, retencion a cuenta, retencion fiscal, tasas",
      nl: "belasting, belastingen, beurstaks, *taks, taks, btw, roerende voorheffing, bronbelasting, *belasting, *voorheffing, transactiebelasting, taks op beursverrichtingen, tob, zegelrecht",
      pt: "imposto, impostos, imposto do selo, imposto de selo, irs, retencao, retencao na fonte, iva, selo, imposto selo, impostos retidos, is sobre comissoes",
      da: "skat, *skat, udbytteskat, moms, stempelafgift, afgift, aktieskat",
      sv: "skatt, *skatt, moms, kupongskatt, kallskatt, stampelskatt, transaktionsskatt",
      no: "skatt, *skatt, kildeskatt, mva, stempelavgift",
      fi: "vero, *vero, ennakonpidatys, varainsiirtovero, lahdevero, arvonlisavero, transaktiovero",
      pl: "podatek, podatki, podatek u zrodla, vat",
      cs: "dan, dane, srazkova dan, dph, transakcni dan",
    },
  },
  interest: {
    strong: {
      de: "stuckzinsen, *stuckzinsen, marchzinsen, marchzins, aufgelaufene zinsen, zwischengewinn in, bezahlte stuckzinsen, erhaltene stuckzinsen, zinsen fur, *zinstage",
      en: "accrued interest, accrued int, interest accrued, accrued interest amount",
      fr: "interets courus, coupon couru, interet couru, montant coupon couru",
      it: "rateo, dietimi, rateo interessi, interessi maturati, rateo cedola, dietimi netti, rateo lordo",
      es: "cupon corrido, intereses devengados, interes corrido",
      nl: "opgelopen rente, meeverkochte rente, verlopen rente, lopende rente",
      pt: "juros corridos, juro decorrido, juros decorridos",
      da: "vedhaengende rente, vedhangende renter, palobne renter",
      sv: "upplupen ranta, upplupna rantor",
      no: "palopte renter, opptjente renter",
      fi: "kertynyt korko, jalkimarkkinahyvitys",
      pl: "odsetki narosle, narosle odsetki",
      cs: "alikvotni urokovy vynos, auv, naskocene uroky",
    },
  },
  fx: {
    strong: {
      de: "devisenkurs, dev kurs, zum dev kurs, umrechn zum dev kurs, devisen kurs, wechselkurs, umrechnungskurs, umrechnung, umrechn kurs, umrechn devisenkurs, devisenreferenzkurs, fremdwahrungskurs, wahrungskurs, *devisenkurs, zum devisenkurs, umrechnung zum kurs, zum kurs von eur usd, kurs eur usd, umgerechnet zum kurs, devisenmittelkurs, devisen, eur usd, usd eur, usd chf, eur chf, gbp eur, eur gbp, chf eur, chf usd",
      en: "exchange rate, fx rate, conversion rate, currency rate, rate of exchange, forex rate, exch rate, x rate, fx, foreign exchange rate",
      fr: "taux de change, cours de change, change, cours devise, taux de conversion, parite, cours du change",
      it: "cambio, tasso di cambio, cambio applicato, cambio eur, cambio divisa",
      es: "tipo de cambio, cambio divisa, divisa cambio, cambio aplicado, tipo cambio",
      nl: "wisselkoers, valutakoers, koers vreemde valuta, omrekenkoers, fx koers",
      pt: "taxa de cambio, cambio, taxa cambio, cotacao cambial",
      da: "valutakurs, vekselkurs, omregningskurs, kurs valuta",
      sv: "valutakurs, vaxlingskurs, vaxelkurs, valutavaxlingskurs, vaxlingskurs eur",
      no: "valutakurs, vekslingskurs",
      fi: "valuuttakurssi, vaihtokurssi, muuntokurssi",
      pl: "kurs waluty, kurs walutowy, kurs wymiany, przelicznik",
      cs: "kurz meny, devizovy kurz, smenny kurz, prepocitaci kurz",
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
      de: "schlusstag, schlusstag zeit, schlusstag handelszeit, handelstag, handelstag zeit, handelsdatum, geschaftstag, ausfuhrungstag, ausfuhrungsdatum, ausfuhrungstag zeit, abschlusstag, abschlussdatum, ausgefuhrt am, trade datum, handelszeit, kauf am, verkauf am, kauftag, transaktionsdatum, ausfuhrung, schlusszeit, handelstag handelszeit, datum der ausfuhrung, ausfuhrung am, schlussdatum, transaktionstag, schlusstag uhrzeit, kauf vom, verkauf vom, datum uhrzeit der ausfuhrung, geschaftsdatum, ausfuhrungszeit, ausfuhrungszeitpunkt, ausfuhrungsdatum zeit, datum handelstag, handelsuhrzeit, ausfuhrungstag und zeit, ausfuhrungszeitpunkt, datum der transaktion, datum der ausfuhrung, orderausfuhrung datum zeit, orderausfuhrung",
      en: "trade date, trade date time, as at date, date of transaction, traded on, date of purchase, date of sale, transaction time, date time executed, date of trade, transaction date, execution date, trade time, executed on, date of execution, date traded, bargain date, dealing date, deal date, execution time, trade date time, date executed, sale date, purchase date, contract date, date time, executed, tradedate, trade day, purchased on, sold on, date and time of execution, transaction date and time, execution date time, filled at",
      fr: "date d execution, date de transaction, date de negociation, date d operation, date operation, execute le, date de l operation, jour de negociation, date heure d execution, date transaction, date execution, date de bourse, date d achat, date de vente, date et heure, date de negoce, date de vl, execution, realise le",
      it: "data operazione, data di esecuzione, data esecuzione, data eseguito, data negoziazione, data contrattazione, eseguito il, data dell operazione, data transazione, data ora eseguito, data di negoziazione, data ora esecuzione, data ordine eseguito, data e ora, data nav, data contratto",
      es: "fecha operacion, fecha de operacion, fecha ejecucion, fecha de ejecucion, fecha contratacion, fecha de contratacion, fecha de la operacion, fecha negociacion, ejecutada el, fecha y hora, fecha hora ejecucion, fecha de negociacion, fecha compra, fecha venta, f operacion, fecha transaccion, fecha hora, f ejecucion",
      nl: "transactiedatum, uitvoeringsdatum, datum transactie, handelsdatum, uitvoering, uitgevoerd op, datum uitvoering, beursdatum, datum en tijd, transactie datum, verrichtingsdatum, tijdstip uitvoering, tijdstip",
      pt: "data da operacao, data operacao, data de execucao, data execucao, data da transacao, data transacao, data negociacao, data de negociacao, executada em, data da negociacao, data e hora",
      da: "handelsdato, handelsdag, handelstidspunkt, udfort den, handlet den, handelsdato tid, udforelsesdato, transaktionsdato",
      sv: "affarsdag, avslutsdag, affarsdatum, handelsdag, avslut, transaktionsdag, avslutsdatum, transaktionsdatum, avslutstid, handelsdatum",
      no: "handelsdato, handelsdag, handelstidspunkt, avtaledato, transaksjonsdato, sluttseddeldato",
      fi: "kauppapaiva, kaupantekopaiva, toteutuspaiva, toteutusaika, kaupan paivamaara, kaupantekoaika",
      pl: "data transakcji, data zawarcia, data realizacji, data wykonania, data i czas transakcji, data zawarcia transakcji, data operacji",
      cs: "datum obchodu, datum realizace, datum uzavreni, datum transakce, cas obchodu, datum a cas, datum uzavreni obchodu, cas realizace, den obchodu",
    },
    fair: {
      de: "abrechnungstag, abrechnungsdatum, preisdatum, kursdatum, bewertungstag, nav datum, abschluss, kursstellung, preisstellung",
      en: "confirm date, confirmation date, pricing date, valuation date, nav date",
      fr: "date de vl, date de valorisation, date de l avis",
      it: "data nav, data conferma",
      es: "fecha de valoracion, fecha confirmacion",
      nl: "koersdatum, datum nota",
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
      de: "valuta, valutadatum, valutatag, wertstellung, wertstellung zum, mit wertstellung, mit valuta, erfullungstag, abwicklungstag, zahltag, zahlungstag, zahlungsdatum, settlement datum, fallig, valuta konto, valuta per, liefertag, abrechnungsvaluta, valutastellung, wert, buchung valuta, zahlbarkeitstag, zahlbar, wert, mit wertstellung zum, gutschrift mit, buchung mit wertstellung",
      en: "settlement date, settle date, value date, settlement, settles on, date of settlement, contractual settlement date, delivery date, proceeds available, settl date, settlement due, payment date, pay date, due date",
      fr: "date de valeur, date valeur, valeur, date de reglement, date reglement, reglement, reglement livraison, date de denouement, valeur le, date de reglement livraison, denouement",
      it: "data valuta, data regolamento, valuta, data di regolamento, regolamento, data di valuta, data liquidazione, con valuta",
      es: "fecha valor, fecha liquidacion, fecha de liquidacion, valor, fecha de valor, f valor, liquidacion",
      nl: "valuta, valutadatum, settlementdatum, afwikkelingsdatum, boekdatum, vereffeningsdatum, afrekeningsdatum",
      pt: "data valor, data de liquidacao, data liquidacao, data de valor, liquidacao, data da liquidacao",
      da: "valor, valordato, afregningsdato, afviklingsdato, valordag, rentedato, afvikling",
      sv: "likviddag, betaldag, avvecklingsdag, likviddatum, avvecklingsdatum, valutadag",
      no: "oppgjorsdato, oppgjorsdag, valuteringsdato, verdidato, betalingsdato, valutering",
      fi: "maksupaiva, selvityspaiva, arvopaiva, toimituspaiva",
      pl: "data rozliczenia, data waluty, data rozrachunku",
      cs: "datum vyporadani, datum valuty, den vyporadani, vyporadani, datum splatnosti",
    },
  },
  docDate: {
    strong: {
      de: "erstellt am, generiert um, druckdatum, ausgestellt am, rechnungsdatum, belegdatum, abrechnung vom, geschaftsabrechnung vom, auftragsdatum, auftragserteilung, auftragseingang, orderdatum, auftrag vom, ihrem auftrag vom, auftragszeit, datum der auftragserteilung, gultig bis, order erteilt, auftragserteilung datum, ordererteilung, erteilt am, eingang, ex tag, berichtszeitraum, zeitraum, stand, per, bewertet per, bestand per, auszug, erstellungsdatum, zum, seit, bis, ab, order vom, auftragszeitpunkt, auftragsdatum zeit, limit gultig bis, gultig",
      en: "order date, generated date, generated at, statement date, issue date, print date, document date, date of issue, reporting period, as of, report date, order received, invoice date, date created, order time, received at, placed on, date printed, printed on, order placed, submitted, period, until, from, good until, expiry, valid until, maturity date, maturity, order entry",
      fr: "date d emission, edite le, date d edition, date de l ordre, ordre du, date ordre, date de reception, emis le, periode, arrete au, jusqu au, echeance, validite, date du document, recu le, imprime le, date de passage, date de saisie",
      it: "data ordine, data documento, data di emissione, emesso il, periodo, data inserimento, data stampa, data conferimento, scadenza, validita, data ricezione, data immissione, conferito il, data di stampa",
      es: "fecha de emision, fecha orden, fecha de la orden, emitido el, fecha emision, periodo, fecha del documento, vencimiento, validez, fecha recepcion, fecha documento, fecha impresion, fecha entrada",
      nl: "datum order, orderdatum, aanmaakdatum, opgesteld op, afdrukdatum, periode, documentdatum, vervaldatum, ingediend, datum afschrift, aangemaakt op",
      pt: "data de emissao, data da ordem, data emissao, emitido em, periodo, validade, data do documento, vencimento, data ordem",
      da: "ordredato, udskrevet, udskriftsdato, dato for ordre, periode, udlob, modtaget, ordretidspunkt, oprettet",
      sv: "orderdatum, utskriftsdatum, period, utskriven, giltig till, forfallodag, orderdag, inlagd",
      no: "ordredato, utskriftsdato, periode, forfall, mottatt",
      fi: "toimeksiantopaiva, tulostettu, paivays, erapaiva, toimeksianto annettu",
      pl: "data zlecenia, data wystawienia, data zlozenia, data wydruku, wystawiono, data waznosci, data sporzadzenia",
      cs: "datum pokynu, datum vystaveni, vystaveno, datum podani, datum splatnosti, platnost, datum tisku",
    },
  },
  isin: {
    strong: {
      xx: "isin, isin code, isin nr, isin nummer, isin no, isin kode, isin kod, codigo isin, code isin, codice isin, kod isin, waardecode, code valeur, isin koodi",
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
      en: "security, security name, security description, stock, instrument, description, asset, fund, fund name, name of security, investment, product, company",
      fr: "titre, libelle, valeur, designation, nom du titre, instrument, libelle valeur, nom de la valeur, fonds, support",
      it: "titolo, descrizione titolo, denominazione, strumento, descrizione, nome titolo, prodotto, fondo",
      es: "valor, titulo, descripcion, nombre del valor, instrumento, clase de valor, denominacion, producto, fondo",
      nl: "effect, naam, fonds, omschrijving, instrument, product, naam effect, fondsnaam",
      pt: "titulo, designacao, descricao, instrumento, nome, produto, fundo",
      da: "papir, vaerdipapir, vardipapir, papirnavn, fondskode, navn, instrument, fondsnavn",
      sv: "vardepapper, instrument, fond, namn, beteckning, fondnamn",
      no: "verdipapir, instrument, fond, navn, papir",
      fi: "arvopaperi, instrumentti, rahasto, nimi, osake",
      pl: "papier wartosciowy, nazwa, instrument, walor, nazwa papieru, fundusz",
      cs: "cenny papir, nazev, instrument, titul, nazev cp, fond, emise",
    },
  },
  reference: {
    strong: {
      de: "referenz, referenz nr, referenznummer, auftragsnummer, ordernummer, order nr, auftrags nr, abrechnungsnummer, abrechnungs nr, rechnungsnummer, rechnungs nr, geschaftsnummer, geschafts nr, auftragsreferenz, belegnummer, order id, trade id, unsere referenz, vorgangsnummer, transaktionsnummer, auftrag nr, ordernr, umsatzreferenz, auftrag, dokumentnummer, beleg nr, transaktionsreferenz, geschaftsnr, mandatsreferenz, auszug, abrechnungsnr",
      en: "reference, ref, ref no, reference no, reference number, order id, order no, order number, trade id, trade number, contract number, contract note number, confirmation number, transaction id, transaction number, our reference, bargain reference, deal reference, trans no, invoice number, contract no, booking amount id, execution id, trade reference, order reference, confirmation no, deal no",
      fr: "reference, numero d ordre, n ordre, numero de transaction, no de reference, notre reference, ref, numero d avis, reference de l ordre, ordre n, n operation, numero operation",
      it: "riferimento, numero ordine, n ordine, numero operazione, rif, nostro riferimento, numero riferimento, id ordine, protocollo, n operazione, codice ordine",
      es: "referencia, numero de orden, n orden, numero operacion, n operacion, ref, nuestra referencia, numero de referencia, orden, num orden, n de orden, codigo orden",
      nl: "referentie, ordernummer, transactienummer, borderel, kenmerk, order id, documentreferte, ref, referte, borderelnummer, notanummer, ordernr",
      pt: "referencia, numero da ordem, n ordem, numero de operacao, n operacao, ordem n, numero ordem",
      da: "ordrenummer, ordrenr, handelsnummer, reference, fondsnotanr, notanummer, notanr, afregningsnr, fondsnota",
      sv: "ordernummer, notanummer, referens, avrakningsnota, affarsnummer, avslutsnummer, notanr, ordernr",
      no: "ordrenummer, referanse, sluttseddelnummer, ordrenr, sluttseddelnr, transaksjonsnummer",
      fi: "viite, toimeksiantonumero, kaupan numero, viitenumero, laskelmanumero, toimeksianto",
      pl: "numer zlecenia, numer transakcji, referencja, nr zlecenia, nr transakcji",
      cs: "cislo pokynu, cislo obchodu, reference, cislo transakce, id obchodu, cislo konfirmace",
    },
  },
  account: {
    strong: {
      de: "depotnummer, depot nr, depotnr, depot, konto, konto nr, kontonummer, depotkonto, kundennummer, kunden nr, verrechnungskonto, iban, portfolio nr, portfolio nummer, wertpapierdepot, kunde, kontonr, blz, bankleitzahl, bic, stammnummer, unterdepot, unterkonto, abrechnungskonto, kontokorrent, rahmenvertrag, personalnummer, portfolio, telefon, tel, fax, telefax, postfach, ust idnr, ust id nr, hrb, hra, steuernummer, steuer id, identifikationsnummer, seite, blatt, uid, mwst nr, fn, dvr, filiale, lei, paragraph, abs, limit, stop, stoplimit, limitpreis, kurslimit",
      en: "account, account no, account number, account nr, client, client no, customer no, customer number, account id, portfolio, iban, sort code, bic, master account no, participant no, phone, telephone, fax, page, vat number, tax id, abn, acn, po box, hin, pid, investor number, lei, registered number, limit, limit price, stop price",
      fr: "compte, compte n, numero de compte, no de compte, n de compte, compte titres, client, n client, portefeuille, iban, compte especes, telephone, page, siren, rcs, siret, tel, capital de, au capital, code postal, numero client, limite, cours limite",
      it: "conto, conto corrente, numero conto, n conto, dossier, dossier titoli, deposito, iban, codice cliente, rubrica, deposito titoli, pagina, telefono, tel, partita iva, codice fiscale, p iva, c f, limite, prezzo limite, abi, cab, capitale sociale, cliente",
      es: "cuenta, cuenta valores, numero de cuenta, n cuenta, contrato, expediente, iban, cuenta corriente, cliente, pagina, telefono, nif, cif, limite, oficina, tomo, folio, ccv, cuenta de valores, cuenta asociada, precio limite",
      nl: "rekening, rekeningnummer, effectenrekening, klantnummer, iban, rekening nr, pagina, telefoon, kvk, limiet, limietkoers, tel, rpr, dossiernummer, bic, klant",
      pt: "conta, numero de conta, conta n, conta titulos, cliente, iban, pagina, telefone, nif, limite, nipc, conta de titulos, contribuinte",
      da: "konto, kontonummer, depot, depotnummer, kontonr, depotnr, kundenummer, side, telefon, cvr, limit, tlf, cvr nr, reg nr, kunde",
      sv: "konto, kontonummer, depa, depanummer, depanr, kundnummer, sida, telefon, org nr, limit, kundnr, depot, kund",
      no: "konto, kontonummer, depot, depotnummer, kundenummer, side, telefon, org nr, limit, kunde, vps konto",
      fi: "tili, tilinumero, arvo osuustili, sailytys, asiakasnumero, sivu, puhelin, y tunnus, raja, asiakas, sailytystili",
      pl: "rachunek, numer rachunku, nr rachunku, klient, strona, telefon, nip, limit, regon, krs, numer klienta",
      cs: "ucet, cislo uctu, majetkovy ucet, klient, strana, telefon, ico, limit, dic, cislo klienta, smlouva",
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
