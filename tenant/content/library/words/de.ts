import { list, type Vocabulary } from "./vocabulary.ts";

export const GERMAN: Vocabulary = {
  agreements: [
    { title: "Miete der Räume {street}, {town}", file: "mietvertrag" },
    { title: "Lieferung von Maschinenteilen an das Werk {town}", file: "liefervertrag" },
    { title: "Darlehen für den Ausbau des Lagers in {town}", file: "darlehen" },
    { title: "Wartung der Aufzüge {street}, {town}", file: "wartung" },
    { title: "Lizenz für die Lagersoftware in {town}", file: "lizenz" },
    { title: "Beförderung von Kühlware ab {town}", file: "befoerderung" },
  ],
  versions: ["zweiter Entwurf", "überarbeitete Fassung", "Fassung zur Unterschrift"],
  opening: [
    "Diese Akte hält fest, was {client} und {party} in {town} nach drei Gesprächsrunden vereinbart haben. Die Gespräche führte {person} für {client}.",
    "{client} und {party} unterzeichnen dieses Papier in {town}. Frühere Schreiben gelten nicht mehr, soweit sie unten nicht genannt sind.",
    "Die Parteien, {client} auf der einen und {party} auf der anderen Seite, trafen sich in {town} und regelten die folgenden Punkte der Reihe nach.",
  ],
  topics: {
    begin: {
      heading: "Beginn und Laufzeit",
      facts: [
        "Der Vertrag mit {party} beginnt am {date} und hat eine Laufzeit von {years} Jahren.",
        "{party} beginnt am {date} mit der Leistung; die feste Laufzeit beträgt {years} Jahre.",
      ],
      more: [
        "Fällt der erste Tag auf einen Feiertag, so zählt der nächste Werktag.",
        "Eine kürzere Probephase wurde besprochen und von {person} abgelehnt.",
        "Arbeiten vor der Unterschrift werden nach der alten Bestellung bezahlt.",
      ],
      near: ["Wann beginnt der Vertrag mit {name}?", "feste Laufzeit {name} Jahre"],
      far: "Ab welchem Tag ist {name} gebunden?",
    },
    notice: {
      heading: "Kündigung",
      facts: [
        "{party} kann mit einer Kündigungsfrist von {months} Monaten zum Ende eines Quartals kündigen.",
        "Die Kündigungsfrist für {party} beträgt {months} Monate, jeweils zum Quartalsende.",
      ],
      more: [
        "Die Erklärung bedarf der Schriftform und muss {person} in {town} zugehen.",
        "Das Recht zur fristlosen Beendigung aus wichtigem Grund bleibt unberührt.",
        "Nach dem Ende geben beide Seiten binnen {days} Tagen zurück, was der anderen gehört.",
      ],
      near: ["Welche Kündigungsfrist gilt für {name}?", "Kündigung {name} Monate zum Quartalsende"],
      far: "Wie schnell werden wir {name} wieder los?",
    },
    fee: {
      heading: "Vergütung",
      facts: [
        "{client} zahlt {party} eine jährliche Vergütung von {sum} in {number} gleichen Raten.",
        "Die jährliche Vergütung von {party} beläuft sich auf {sum}, zahlbar in {number} Raten.",
      ],
      more: [
        "Rechnungen tragen die Bestellnummer {code} und gehen an {person}.",
        "Fahrten innerhalb von {town} sind enthalten; andere Reisen sind vorher zu genehmigen.",
        "Ein Skonto wurde nicht vereinbart.",
      ],
      near: ["Wie hoch ist die jährliche Vergütung von {name}?", "Raten der Vergütung {name}"],
      far: "Was kostet uns {name} pro Kalenderjahr?",
    },
    deposit: {
      heading: "Sicherheit",
      facts: [
        "{party} hinterlegt eine Kaution von {sum} bei {bank}.",
        "Als Sicherheit hat {party} eine Kaution über {sum} auf ein Konto bei {bank} eingezahlt.",
      ],
      more: [
        "Die Zinsen darauf stehen der Partei zu, die eingezahlt hat.",
        "Sie wird binnen {days} Tagen frei, sobald {person} bestätigt, dass nichts mehr offen ist.",
        "Eine Bürgschaft eines guten Hauses kann an ihre Stelle treten.",
      ],
      near: ["Kaution von {name}", "Bei welcher Bank hat {name} die Kaution hinterlegt?"],
      far: "Wie viel Geld von {name} liegt als Pfand fest?",
    },
    interest: {
      heading: "Verzug",
      facts: [
        "Bei Zahlungsverzug berechnet {party} ab dem {days}. Tag nach der Rechnung Verzugszinsen von {percent} Prozent.",
        "Offene Beträge verzinst {party} ab dem {days}. Tag nach der Rechnung mit {percent} Prozent Verzugszinsen im Jahr.",
      ],
      more: [
        "Eine Mahnung ist nicht nötig, wird von {person} aber meist verschickt.",
        "Teilbeträge werden auf die älteste Schuld angerechnet.",
        "Strittige Posten dürfen bis zur Klärung zurückbehalten werden.",
      ],
      near: ["Verzugszinsen {name}", "Wie viel Prozent Verzugszinsen berechnet {name}?"],
      far: "Was passiert, wenn wir {name} zu langsam überweisen?",
    },
    penalty: {
      heading: "Vertragsstrafe",
      facts: [
        "Für jeden Tag der Verspätung schuldet {party} eine Vertragsstrafe von {sum}, höchstens {sum2}.",
        "Verspätet sich {party}, so wird je Tag eine Vertragsstrafe von {sum} fällig, begrenzt auf {sum2}.",
      ],
      more: [
        "Sie wird auf einen später nachgewiesenen Schaden angerechnet.",
        "Ein Aufschub, den {person} schriftlich gewährt hat, zählt nicht.",
        "Streik und Hochwasser hemmen die Zählung.",
      ],
      near: [
        "Vertragsstrafe je Tag {name}",
        "Wie hoch ist die Vertragsstrafe bei Verspätung von {name}?",
      ],
      far: "Was muss {name} abgeben, wenn es trödelt?",
    },
    warranty: {
      heading: "Gewährleistung",
      facts: [
        "{party} übernimmt eine Gewährleistung von {months} Monaten ab der Abnahme.",
        "Die Gewährleistung für die Arbeit von {party} läuft {months} Monate ab der Abnahme.",
      ],
      more: [
        "Mängel werden {person} sofort und mit einem Lichtbild gemeldet.",
        "Zwei Versuche der Nachbesserung sind erlaubt, bevor der Preis gemindert wird.",
        "Teile, die sich üblicherweise abnutzen, sind nicht erfasst.",
      ],
      near: ["Gewährleistung {name} ab Abnahme", "Wie viele Monate Gewährleistung gibt {name}?"],
      far: "Wie lange behebt {name} Fehler kostenlos?",
    },
    liability: {
      heading: "Haftung",
      facts: [
        "Die Haftung von {party} ist auf {sum} je Schadensfall beschränkt.",
        "{party} haftet je Schadensfall bis zu {sum}, darüber hinaus nicht.",
      ],
      more: [
        "Die Grenze gilt nicht bei Vorsatz oder bei Verletzung eines Menschen.",
        "Entgangener Gewinn ist auf beiden Seiten ausgeschlossen.",
        "{person} führt eine Liste der erhobenen Ansprüche.",
      ],
      near: ["Haftung je Schadensfall {name}", "Bis zu welcher Summe haftet {name}?"],
      far: "Was würde {name} uns äußerstenfalls ersetzen?",
    },
    insurance: {
      heading: "Versicherung",
      facts: [
        "{party} unterhält eine Haftpflichtversicherung mit einer Deckung von mindestens {sum} bei {firm}.",
        "Haftpflichtversicherung von {party}: Deckung {sum}, Versicherer {firm}.",
      ],
      more: [
        "Ein Nachweis geht in der ersten Woche jedes Jahres an {person}.",
        "Erlischt die Police, so darf {client} auf Kosten der anderen Seite eine neue abschließen.",
        "Wasserschäden und Einbruch sind eingeschlossen.",
      ],
      near: ["Haftpflichtversicherung Deckung {name}", "Welcher Versicherer deckt {name}?"],
      far: "Wer zahlt, wenn {name} einen Besucher verletzt?",
    },
    secrecy: {
      heading: "Vertraulichkeit",
      facts: [
        "{party} behandelt alle Geschäftsinformationen noch {years} Jahre nach dem Ende vertraulich.",
        "Die Pflicht zur Vertraulichkeit bindet {party} auch {years} Jahre nach dem Ende.",
      ],
      more: [
        "Was schon öffentlich bekannt ist, fällt nicht darunter.",
        "{person} entscheidet, welche Berater die Zahlen sehen dürfen.",
        "Kopien werden vernichtet, ein Vermerk darüber geht nach {town}.",
      ],
      near: [
        "Vertraulichkeit {name} Jahre nach dem Ende",
        "Wie lange gilt die Vertraulichkeit für {name}?",
      ],
      far: "Darf {name} der Presse unsere Geheimnisse erzählen?",
    },
    court: {
      heading: "Recht und Gericht",
      facts: [
        "Gerichtsstand für alle Streitigkeiten mit {party} ist {town}.",
        "Für Streitigkeiten mit {party} sind allein die Gerichte in {town} zuständig.",
      ],
      more: [
        "Es gilt das Recht am Sitz von {client} ohne dessen Kollisionsregeln.",
        "Ist ein Absatz nichtig, so bleiben die übrigen in Kraft.",
        "Änderungen bedürfen der Unterschrift von {person} und eines weiteren Vorstands.",
      ],
      near: [
        "Gerichtsstand Streitigkeiten {name}",
        "Welches Gericht ist für Streitigkeiten mit {name} zuständig?",
      ],
      far: "Wo müssten wir {name} verklagen?",
    },
    contact: {
      heading: "Ansprechpartner",
      facts: [
        "Ansprechpartner bei {party} ist {person}; Antworten kommen binnen {days} Werktagen.",
        "Fragen gehen an {person} als Ansprechpartner von {party}, mit Antwort in {days} Werktagen.",
      ],
      more: [
        "In dringenden Fällen nimmt der Nachtdienst in {town} Anrufe an.",
        "Ein Wechsel wird zwei Wochen vorher angekündigt.",
        "Briefe ohne die Nummer {code} gehen zurück.",
      ],
      near: ["Wer ist Ansprechpartner bei {name}?", "Ansprechpartner {name} Werktage"],
      far: "Wen rufe ich bei {name} an?",
    },
    delivery: {
      heading: "Lieferung",
      facts: [
        "{party} liefert bis spätestens {date} an die Anschrift {street}, {town}.",
        "Waren von {party} sind spätestens am {date} an die Anschrift {street} in {town} zu liefern.",
      ],
      more: [
        "{person} zählt die Paletten, bevor der Fahrer aufbricht.",
        "Unterwegs beschädigte Ware wird abgelichtet und zurückgewiesen.",
        "Verpackung wird kostenlos zurückgenommen.",
      ],
      near: ["Wohin liefert {name} die Waren?", "Anschrift für Lieferung {name} spätestens"],
      far: "An welcher Rampe lädt der Lastwagen von {name} ab?",
    },
    audit: {
      heading: "Prüfung",
      facts: [
        "{client} darf die Bücher von {party} einmal im Jahr mit {days} Tagen Vorlauf prüfen.",
        "Einmal im Jahr und mit {days} Tagen Vorlauf dürfen die Bücher von {party} geprüft werden.",
      ],
      more: [
        "{person} benennt den Gutachter und trägt die Kosten.",
        "Fehlen mehr als drei Prozent, so trägt sie die andere Seite.",
        "Abschriften sind erlaubt, Urschriften bleiben in {town}.",
      ],
      near: [
        "Prüfung der Bücher von {name}",
        "Mit wie vielen Tagen Vorlauf darf man {name} prüfen?",
      ],
      far: "Ist uns Einblick in die Konten erlaubt, die {name} führt?",
    },
    data: {
      heading: "Personenbezogene Daten",
      facts: [
        "{party} löscht personenbezogene Daten {days} Tage nach dem letzten Auftrag.",
        "Personenbezogene Daten sind von {party} binnen {days} Tagen nach dem letzten Auftrag zu löschen.",
      ],
      more: [
        "Beauftragt für den Schutz ist {person}.",
        "Die Server stehen in {town} und in keinem anderen Land.",
        "Eine Panne wird binnen zweier Tage gemeldet, mit der Zahl der Betroffenen.",
      ],
      near: [
        "Löschung personenbezogener Daten {name}",
        "Wann löscht {name} personenbezogene Daten?",
      ],
      far: "Verschwinden private Angaben unserer Belegschaft bei {name}?",
    },
    index: {
      heading: "Anpassung der Preise",
      facts: [
        "Die Preise von {party} folgen jeweils im {month} dem Verbraucherindex, höchstens um {percent} Prozent.",
        "Im {month} werden die Preise von {party} an den Verbraucherindex angepasst; die Obergrenze ist {percent} Prozent.",
      ],
      more: [
        "Das geschieht zum ersten Mal nach dem zweiten Jahr.",
        "{person} schickt die Berechnung vier Wochen vorher.",
        "Ein Rückgang senkt sie in gleicher Weise.",
      ],
      near: [
        "Verbraucherindex Preise {name} höchstens",
        "In welchem Monat werden die Preise von {name} angepasst?",
      ],
      far: "Wie viel teurer darf {name} werden?",
    },
    keys: {
      heading: "Zutritt",
      facts: [
        "{party} erhält {number} Zutrittskarten für {street}; {person} quittiert sie.",
        "{number} Zutrittskarten für {street} wurden an {party} ausgegeben, quittiert von {person}.",
      ],
      more: [
        "Eine verlorene Karte wird binnen einer Stunde gesperrt und kostet vierzig Euro.",
        "Gäste tragen ein Schild und werden am Tor abgeholt.",
        "Alle Karten enden mit dem Vertrag und werden in {town} abgegeben.",
      ],
      near: ["Wie viele Zutrittskarten hat {name} erhalten?", "Zutrittskarten {name} {street}"],
      far: "Können Leute von {name} das Gebäude betreten?",
    },
    repairs: {
      heading: "Reparaturen",
      facts: [
        "Kleine Reparaturen bis {sum} im Einzelfall trägt {party}.",
        "{party} trägt Reparaturen, die im Einzelfall nicht mehr als {sum} kosten.",
      ],
      more: [
        "Dach, Stützen und Hauptleitungen bleiben beim Eigentümer.",
        "{person} ist zu fragen, bevor eine Wand geöffnet wird.",
        "Der Kessel wird jeden Herbst von einem Betrieb aus {town} gewartet.",
      ],
      near: ["kleine Reparaturen {name}", "Bis zu welcher Summe trägt {name} Reparaturen?"],
      far: "Wer flickt einen kaputten Wasserhahn für {name}?",
    },
    mediation: {
      heading: "Schlichtung",
      facts: [
        "Vor einer Klage rufen {client} und {party} {person} aus {town} als Schlichter an; das Verfahren endet nach {days} Tagen.",
        "Ein Streit mit {party} geht zuerst für bis zu {days} Tage an {person} in {town} als Schlichter.",
      ],
      more: [
        "Jede Seite trägt ihre Kosten und die Hälfte der gemeinsamen.",
        "Was dort gesagt wird, darf vor Gericht nicht verwendet werden.",
        "Eilmaßnahmen bleiben jederzeit möglich.",
      ],
      near: ["Wer ist Schlichter für {name}?", "Schlichter Streit {name} Tage"],
      far: "Welche neutrale Person hilft, falls wir uns mit {name} zanken?",
    },
    hours: {
      heading: "Arbeitszeiten",
      facts: [
        "{party} arbeitet vor Ort zwischen {hour} und {hour2} Uhr, samstags nur nach Anruf bei {person}.",
        "Arbeitszeiten von {party} vor Ort sind {hour} bis {hour2} Uhr; samstags ist ein Anruf bei {person} nötig.",
      ],
      more: [
        "Lärm vor dem Frühstück hat zu Beschwerden der Nachbarn geführt.",
        "Im Dezember darf wegen der Inventur länger gearbeitet werden.",
        "Das Tor in {town} schließt von selbst.",
      ],
      near: ["Arbeitszeiten von {name} vor Ort", "Zwischen welchen Zeiten arbeitet {name}?"],
      far: "Ist {name} noch spät am Abend da?",
    },
  },
  journal: {
    heading: "Tagebuch",
    acts: [
      "Am {date} besuchte {person} die {street} in {town}",
      "{person} schrieb am {date} an {client}",
      "In der Sitzung vom {date} stellte {person} die Zahlen vor",
      "{person} und {person2} telefonierten am {date} miteinander",
      "Jemand aus dem Büro von {person} öffnete am {date} die Kisten",
      "Am {date} prüfte die Buchhaltung unter {person} die Einträge",
      "{person} ging am {date} durch die Halle in {town}",
      "Der Wochenbericht vom {date} stammt von {person}",
      "Am {date} erreichte {person} ein Brief aus {town}",
    ],
    findings: [
      "und dabei fiel der nasse Boden unter dem dritten Fenster auf",
      "und es fanden sich {number} Kisten mehr als auf der Liste",
      "und zu den Zeichnungen wurde eine zweite Meinung erbeten",
      "und es zeigte sich, dass {sum} doppelt gebucht waren",
      "und das aufgeräumte Archiv wurde gelobt",
      "und vom Lüfter auf dem Dach war ein Geräusch zu hören",
      "und an der Nordseite blättert die Farbe ab",
      "und die unterschriebene Seite des Protokolls fehlte",
      "und eine neue Strecke um die Brücke wurde vorgeschlagen",
      "und zwei Fahrer sind bis {month} krank",
      "und von drei Angeboten lag das günstigste bei {sum}",
      "und an die Zusage vor dem Sommer wurde erinnert",
    ],
    steps: [
      "{person2} sieht sich das vor Ende {month} noch einmal an.",
      "Der Punkt bleibt offen, bis der Klempner da war.",
      "Ein Lichtbild liegt unter {code}.",
      "Niemand widersprach, also gilt der Vorschlag als angenommen.",
      "Die Kosten von {sum} werden zu gleichen Teilen getragen.",
      "{person2} bat um eine Kopie und bekam sie am selben Tag.",
      "Man kam überein, auf besseres Wetter zu warten.",
      "Der Lieferant versprach Ersatz in {days} Tagen.",
      "An den früher gesetzten Terminen ändert das nichts.",
      "Der Vorsitz dankte allen und schloss den Punkt.",
      "In der Liste der Risiken steht es unter {code}.",
    ],
  },
  firms: [
    list(
      "Ahorn, Birken, Dorn, Eichen, Falken, Ginster, Hirsch, Igel, Kiefern, Linden, Moor, Nuss, Otter, Pappel, Quellen, Reiher, Schilf, Tannen, Ulmen, Veilchen, Weiden, Zeder, Buchen, Erlen",
    ),
    list("bach, berg, feld, hof, horst, kamp, rode, stein, tal, wald"),
    "GmbH",
  ],
  people: [
    list(
      "Annika, Bastian, Carla, Detlef, Elke, Florian, Gesine, Holger, Inken, Jochen, Kerstin, Lothar, Mareike, Norbert",
    ),
    list(
      "Altenrath, Brinkmann, Cordes, Drexler, Ehlers, Fuhrmann, Grothe, Hellwig, Immler, Jaspers, Kortmann, Lüders, Mertesacker, Niehoff, Ostermann, Petzold",
    ),
  ],
  towns: list(
    "Köln, Kassel, Rostock, Ulm, Trier, Bamberg, Görlitz, Celle, Passau, Husum, Erfurt, Siegen",
  ),
  streets: list(
    "Mühlweg 12, Gießereistraße 4, Hafenstraße 77, Kapellengasse 31, Am Bahnhof 9, Obstgarten 58, Kanalufer 120, Gerberhof 3",
  ),
  banks: list("Wesersparkasse, Hanse Bankverein, Alpenkasse, Rheinische Privatbank"),
  amount: (sum) => `${sum} Euro`,
};
