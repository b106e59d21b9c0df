import { list, type Vocabulary } from "./vocabulary.ts";

export const FRENCH: Vocabulary = {
  agreements: [
    { title: "Bail des locaux situés {street}, {town}", file: "bail" },
    { title: "Fourniture de pièces de machines à l'usine de {town}", file: "fourniture" },
    { title: "Prêt pour l'agrandissement de l'entrepôt de {town}", file: "pret" },
    { title: "Entretien des ascenseurs, {street}, {town}", file: "entretien" },
    { title: "Licence du logiciel de gestion des stocks à {town}", file: "licence-logiciel" },
    { title: "Transport de produits frais au départ de {town}", file: "transport-frais" },
  ],
  versions: ["second projet", "copie révisée", "exemplaire à signer"],
  opening: [
    "Ce dossier consigne ce que {client} et {party} ont convenu à {town} après trois séances. {person} menait les discussions pour {client}.",
    "{client} et {party} signent ce document à {town}. Les lettres antérieures perdent leur effet, sauf celles qui sont citées plus bas.",
    "Les parties, {client} d'un côté et {party} de l'autre, se sont réunies à {town} et ont réglé les points suivants un par un.",
  ],
  topics: {
    begin: {
      heading: "Début et durée",
      facts: [
        "Le contrat avec {party} commence le {date} pour une durée de {years} ans.",
        "{party} commence ses prestations le {date} ; la durée ferme est de {years} ans.",
      ],
      more: [
        "Si le premier jour est férié, le jour ouvrable suivant compte.",
        "Une phase d'essai plus courte a été discutée puis refusée par {person}.",
        "Les travaux antérieurs à la signature sont payés selon l'ancienne commande.",
      ],
      near: ["Quand commence le contrat avec {name} ?", "durée ferme {name} ans"],
      far: "À partir de quel jour {name} est-il engagé ?",
    },
    notice: {
      heading: "Résiliation",
      facts: [
        "{party} peut résilier avec un préavis de {months} mois avant la fin d'un trimestre.",
        "Le préavis de résiliation pour {party} est de {months} mois et s'achève avec un trimestre.",
      ],
      more: [
        "La lettre doit parvenir à {person} à {town} sous forme écrite.",
        "Le droit de rompre sans délai pour motif grave demeure.",
        "Ensuite chaque partie rend sous {days} jours ce qui appartient à l'autre.",
      ],
      near: [
        "Quel est le préavis de résiliation pour {name} ?",
        "résilier {name} préavis trimestre",
      ],
      far: "Combien de temps avant d'être débarrassés de {name} ?",
    },
    fee: {
      heading: "Rémunération",
      facts: [
        "{client} verse à {party} une rémunération annuelle de {sum} en {number} échéances égales.",
        "La rémunération annuelle de {party} s'élève à {sum}, répartie en {number} échéances.",
      ],
      more: [
        "Les factures portent le numéro {code} et sont adressées à {person}.",
        "Les trajets dans {town} sont inclus ; les autres voyages exigent un accord préalable.",
        "Aucun escompte n'a été convenu.",
      ],
      near: [
        "Quelle est la rémunération annuelle de {name} ?",
        "échéances de la rémunération {name}",
      ],
      far: "Combien nous coûte {name} chaque exercice ?",
    },
    deposit: {
      heading: "Garantie",
      facts: [
        "{party} dépose une caution de {sum} auprès de {bank}.",
        "À titre de caution {party} a versé {sum} sur un compte de {bank}.",
      ],
      more: [
        "Les intérêts reviennent à la partie qui l'a payée.",
        "Elle est libérée sous {days} jours dès que {person} confirme que rien ne reste dû.",
        "L'engagement d'un établissement solide peut la remplacer.",
      ],
      near: ["caution de {name}", "Auprès de quelle banque {name} a-t-il déposé la caution ?"],
      far: "Quel montant bloqué protège contre une défaillance de {name} ?",
    },
    interest: {
      heading: "Retard de paiement",
      facts: [
        "En cas de retard de paiement {party} facture des intérêts de {percent} pour cent à partir du {days}e jour.",
        "À partir du {days}e jour après la facture, {party} applique des intérêts de retard de {percent} pour cent.",
      ],
      more: [
        "Un rappel n'est pas nécessaire, mais {person} en envoie souvent un.",
        "Les acomptes sont imputés sur la dette la plus ancienne.",
        "Les postes contestés peuvent être retenus jusqu'à leur éclaircissement.",
      ],
      near: ["intérêts de retard {name}", "Quels intérêts de retard applique {name} ?"],
      far: "Que se passe-t-il si nous virons trop lentement l'argent à {name} ?",
    },
    penalty: {
      heading: "Pénalité",
      facts: [
        "Pour chaque jour de retard {party} doit une pénalité de {sum}, plafonnée à {sum2}.",
        "Si {party} livre en retard, une pénalité de {sum} par jour est due, avec un plafond de {sum2}.",
      ],
      more: [
        "Elle s'impute sur le dommage prouvé plus tard.",
        "Un report que {person} a accordé par écrit ne compte pas.",
        "Les grèves et les crues suspendent le calcul.",
      ],
      near: [
        "pénalité par jour de retard {name}",
        "Quelle pénalité doit {name} pour chaque jour ?",
      ],
      far: "Que perd {name} quand il traîne ?",
    },
    warranty: {
      heading: "Garantie des travaux",
      facts: [
        "{party} accorde une garantie de {months} mois à compter de la réception.",
        "La garantie sur les travaux de {party} court pendant {months} mois après la réception.",
      ],
      more: [
        "Les défauts sont signalés à {person} sans délai avec une photographie.",
        "Deux essais de réparation sont permis avant une baisse du prix.",
        "Les pièces d'usure ordinaire ne sont pas couvertes.",
      ],
      near: ["garantie {name} après la réception", "Combien de mois de garantie accorde {name} ?"],
      far: "Jusqu'à quand {name} corrige-t-il gratuitement ses erreurs ?",
    },
    liability: {
      heading: "Responsabilité",
      facts: [
        "La responsabilité de {party} est limitée à {sum} par sinistre.",
        "{party} engage sa responsabilité jusqu'à {sum} par sinistre, pas davantage.",
      ],
      more: [
        "La limite ne vaut pas en cas de faute intentionnelle ou de blessure.",
        "Le manque à gagner est exclu des deux côtés.",
        "{person} tient une liste des réclamations reçues.",
      ],
      near: [
        "limite de responsabilité par sinistre {name}",
        "Jusqu'à quel montant {name} engage-t-il sa responsabilité ?",
      ],
      far: "Quel serait le dédommagement maximal venant de {name} ?",
    },
    insurance: {
      heading: "Assurance",
      facts: [
        "{party} détient une assurance de responsabilité civile d'au moins {sum} chez {firm}.",
        "Assurance de responsabilité civile de {party} : couverture de {sum}, assureur {firm}.",
      ],
      more: [
        "Une attestation est envoyée à {person} la première semaine de chaque année.",
        "Si la police expire, {client} peut en souscrire une aux frais de l'autre partie.",
        "Les dégâts des eaux et le vol sont compris.",
      ],
      near: ["assurance responsabilité civile {name}", "Quel assureur couvre {name} ?"],
      far: "Qui paie lorsque {name} blesse un visiteur ?",
    },
    secrecy: {
      heading: "Confidentialité",
      facts: [
        "{party} garde confidentielles toutes les informations commerciales pendant {years} ans après la fin.",
        "Le devoir de confidentialité lie {party} encore {years} ans après la fin.",
      ],
      more: [
        "Ce que le public connaît déjà n'est pas concerné.",
        "{person} décide quels conseillers peuvent voir les chiffres.",
        "Les copies sont détruites et un avis part à {town}.",
      ],
      near: [
        "confidentialité {name} ans après la fin",
        "Combien de temps la confidentialité lie-t-elle {name} ?",
      ],
      far: "{name} peut-il raconter nos secrets à la presse ?",
    },
    court: {
      heading: "Droit et tribunaux",
      facts: [
        "Les tribunaux de {town} sont seuls compétents pour les litiges avec {party}.",
        "Tout litige avec {party} relève des tribunaux de {town}.",
      ],
      more: [
        "Le droit du siège de {client} s'applique, sans ses règles de conflit.",
        "Si un alinéa est nul, les autres restent en vigueur.",
        "Toute modification exige la signature de {person} et d'un autre directeur.",
      ],
      near: [
        "tribunaux compétents litiges {name}",
        "Quels tribunaux jugent un litige avec {name} ?",
      ],
      far: "Dans quelle ville faudrait-il assigner {name} en justice ?",
    },
    contact: {
      heading: "Interlocuteur",
      facts: [
        "L'interlocuteur chez {party} est {person}, qui répond sous {days} jours ouvrables.",
        "Les questions vont à {person}, interlocuteur de {party}, avec une réponse sous {days} jours ouvrables.",
      ],
      more: [
        "En cas d'urgence la permanence de {town} prend les appels.",
        "Un changement est annoncé deux semaines à l'avance.",
        "Les lettres sans le numéro {code} sont retournées.",
      ],
      near: ["Qui est l'interlocuteur chez {name} ?", "interlocuteur {name} jours ouvrables"],
      far: "À qui téléphoner pour joindre {name} ?",
    },
    delivery: {
      heading: "Livraison",
      facts: [
        "{party} livre à l'adresse {street}, {town}, au plus tard le {date}.",
        "Les marchandises de {party} sont à livrer à l'adresse {street} de {town} au plus tard le {date}.",
      ],
      more: [
        "{person} compte les palettes avant le départ du chauffeur.",
        "Ce qui est abîmé en route est photographié et refusé.",
        "Les emballages sont repris sans frais.",
      ],
      near: ["À quelle adresse livre {name} ?", "adresse de livraison {name} au plus tard"],
      far: "Où le camion de {name} doit-il décharger ?",
    },
    audit: {
      heading: "Contrôle",
      facts: [
        "{client} peut contrôler les livres de {party} une fois par an après un avis de {days} jours.",
        "Une fois par an, après un avis de {days} jours, les livres de {party} peuvent être contrôlés.",
      ],
      more: [
        "{person} nomme l'expert et supporte les frais.",
        "S'il manque plus de trois pour cent, l'autre partie les supporte.",
        "Des copies sont permises, les originaux restent à {town}.",
      ],
      near: [
        "contrôle des livres de {name}",
        "Quel avis avant de contrôler les livres de {name} ?",
      ],
      far: "Avons-nous le droit d'examiner la comptabilité tenue chez {name} ?",
    },
    data: {
      heading: "Données personnelles",
      facts: [
        "{party} supprime les données personnelles {days} jours après la dernière commande.",
        "Les données personnelles détenues par {party} sont à supprimer sous {days} jours après la dernière commande.",
      ],
      more: [
        "La protection est confiée à {person}.",
        "Les serveurs se trouvent à {town} et dans aucun autre pays.",
        "Une fuite est signalée sous deux jours, avec le nombre de personnes touchées.",
      ],
      near: [
        "suppression des données personnelles {name}",
        "Quand {name} supprime-t-il les données personnelles ?",
      ],
      far: "Efface-t-on chez {name} ce qui concerne nos salariés ?",
    },
    index: {
      heading: "Révision des prix",
      facts: [
        "Chaque mois de {month} les prix de {party} suivent l'indice à la consommation, de {percent} pour cent au plus.",
        "Les prix de {party} sont révisés en {month} selon l'indice à la consommation ; le plafond est de {percent} pour cent.",
      ],
      more: [
        "La première fois, cela a lieu après la deuxième année.",
        "{person} envoie le calcul quatre semaines avant.",
        "Une baisse les diminue de la même façon.",
      ],
      near: [
        "indice à la consommation prix {name}",
        "En quel mois les prix de {name} sont-ils révisés ?",
      ],
      far: "De combien {name} peut-il devenir plus cher ?",
    },
    keys: {
      heading: "Accès",
      facts: [
        "{party} reçoit {number} badges d'accès pour {street} ; {person} en signe le reçu.",
        "{number} badges d'accès pour {street} ont été remis à {party} contre un reçu de {person}.",
      ],
      more: [
        "Une carte perdue est bloquée dans l'heure et coûte quarante euros.",
        "Les invités sont accueillis au portail.",
        "Tout prend fin avec le contrat et se rend à {town}.",
      ],
      near: ["Combien de badges d'accès {name} a-t-il reçus ?", "badges d'accès {name} {street}"],
      far: "Le personnel de {name} peut-il entrer dans l'immeuble ?",
    },
    repairs: {
      heading: "Réparations",
      facts: [
        "Les petites réparations jusqu'à {sum} par cas sont à la charge de {party}.",
        "{party} prend à sa charge les réparations ne dépassant pas {sum} par cas.",
      ],
      more: [
        "La toiture, les piliers et les conduites restent au propriétaire.",
        "{person} doit être consulté avant d'ouvrir un mur.",
        "La chaudière est révisée chaque automne par une maison de {town}.",
      ],
      near: [
        "petites réparations à la charge de {name}",
        "Jusqu'à quel montant {name} prend-il les réparations ?",
      ],
      far: "Qui s'occupe d'un robinet cassé pour {name} ?",
    },
    mediation: {
      heading: "Médiation",
      facts: [
        "Avant tout procès {client} et {party} saisissent {person} de {town} comme médiateur ; les séances cessent après {days} jours.",
        "Un différend avec {party} va d'abord chez le médiateur {person} à {town}, pour {days} jours au plus.",
      ],
      more: [
        "Chaque partie supporte ses frais et la moitié des frais communs.",
        "Ce qui s'y dit ne peut servir au tribunal.",
        "Les mesures urgentes restent possibles à tout moment.",
      ],
      near: ["Qui est le médiateur pour {name} ?", "médiateur différend {name} jours"],
      far: "Quelle personne neutre aide si nous nous disputons avec {name} ?",
    },
    hours: {
      heading: "Horaires",
      facts: [
        "{party} travaille sur place entre {hour} et {hour2} heures, le samedi seulement après un appel à {person}.",
        "Les horaires de {party} sur place vont de {hour} à {hour2} heures ; le samedi exige un appel à {person}.",
      ],
      more: [
        "Le bruit avant le petit déjeuner a provoqué des plaintes du voisinage.",
        "En décembre on peut prolonger pour l'inventaire.",
        "Le portail de {town} se ferme tout seul.",
      ],
      near: ["horaires de {name} sur place", "Entre quelles heures travaille {name} ?"],
      far: "{name} est-il encore là tard le soir ?",
    },
  },
  journal: {
    heading: "Journal",
    acts: [
      "Le {date} {person} a visité {street} à {town}",
      "{person} a écrit à {client} le {date}",
      "À la réunion du {date} {person} a présenté les chiffres",
      "{person} et {person2} ont parlé au téléphone le {date}",
      "Un collègue de {person} a ouvert les caisses le {date}",
      "Le {date} la comptabilité, sous {person}, a vérifié les écritures",
      "{person} a parcouru le hall de {town} le {date}",
      "Le rapport hebdomadaire du {date} vient de {person}",
      "Le {date} une lettre de {town} est parvenue à {person}",
    ],
    findings: [
      "et le sol était mouillé sous la troisième fenêtre",
      "et il y avait {number} caisses de plus que sur la liste",
      "et un second avis sur les plans a été demandé",
      "et {sum} avaient été comptabilisés deux fois",
      "et le bon état des archives a été loué",
      "et un bruit venait du ventilateur du toit",
      "et la peinture s'écaille du côté nord",
      "et la page signée du procès-verbal manquait",
      "et un nouvel itinéraire autour du pont a été proposé",
      "et deux chauffeurs sont malades jusqu'en {month}",
      "et la moins chère des trois offres était de {sum}",
      "et la promesse faite avant l'été a été rappelée",
    ],
    steps: [
      "{person2} y reviendra avant la fin de {month}.",
      "Le point reste ouvert jusqu'à la venue du plombier.",
      "Une photographie est conservée sous {code}.",
      "Personne ne s'y est opposé, la proposition est donc acceptée.",
      "Le coût de {sum} est partagé à parts égales.",
      "{person2} a demandé une copie et l'a reçue le jour même.",
      "Il a été convenu d'attendre un temps meilleur.",
      "Le fournisseur a promis un remplacement en {days} jours.",
      "Cela ne change rien aux dates déjà fixées.",
      "Le président a remercié chacun et a clos le point.",
      "Une mention figure dans la liste des risques sous {code}.",
    ],
  },
  firms: [
    list(
      "Aube, Belle, Clair, Dor, Épine, Fleur, Givre, Haute, Isle, Jonc, Lande, Mont, Noire, Olive, Pierre, Quatre, Roche, Sable, Tilleul, Ursule, Val, Vigne, Bois, Chêne",
    ),
    list("bourg, champ, combe, court, font, lac, mare, rive, tour, ville"),
    "SARL",
  ],
  people: [
    list(
      "Adèle, Baptiste, Camille, Didier, Élodie, Fabrice, Gaëlle, Hervé, Inès, Julien, Karine, Lucien, Mathilde, Noël",
    ),
    list(
      "Aubertin, Bonnefoy, Castaing, Delmas, Escoffier, Fontanel, Gauthier, Hébrard, Imbert, Jacquet, Kerhervé, Lacombe, Montfort, Nivelle, Olivier, Peyrot",
    ),
  ],
  towns: list(
    "Lyon, Nantes, Dijon, Pau, Metz, Limoges, Brest, Nîmes, Angers, Rouen, Colmar, Tulle",
  ),
  streets: list(
    "12 rue du Moulin, 4 rue de la Fonderie, 77 quai du Port, 31 passage de la Chapelle, 9 place de la Gare, 58 allée du Verger, 120 bord du Canal, 3 cour des Tanneurs",
  ),
  banks: list("Crédit des Alpes, Banque de la Loire, Caisse du Midi, Comptoir Rhodanien"),
  amount: (sum) => `${sum} euros`,
};
