import { list, type Vocabulary } from "./vocabulary.ts";

export const ENGLISH: Vocabulary = {
  agreements: [
    { title: "Lease of the premises at {street}, {town}", file: "lease" },
    { title: "Supply of machine parts to the plant in {town}", file: "supply" },
    { title: "Loan for the extension of the warehouse in {town}", file: "loan" },
    { title: "Maintenance of the lifts at {street}, {town}", file: "maintenance" },
    { title: "Licence for the stock control software in {town}", file: "licence" },
    { title: "Transport of chilled goods from {town}", file: "transport" },
  ],
  versions: ["second draft", "revised copy", "copy for signature"],
  opening: [
    "This file records what {client} and {party} agreed in {town} after three rounds of talks. {person} led the talks for {client}.",
    "{client} and {party} sign this paper in {town}. Earlier letters lose their force, unless a paragraph below names them.",
    "The parties, {client} on one side and {party} on the other, met in {town} and settled the following points one by one.",
  ],
  topics: {
    begin: {
      heading: "Beginning and term",
      facts: [
        "The agreement with {party} begins on {date} and has a term of {years} years.",
        "{party} starts to perform on {date}; the fixed term is {years} years.",
      ],
      more: [
        "If the first day is a public holiday, the next working day counts.",
        "A shorter trial phase was discussed and rejected by {person}.",
        "Work that was done before the signature is paid under the old order.",
      ],
      near: ["When does the agreement with {name} begin?", "fixed term in years {name}"],
      far: "From which day is {name} bound?",
    },
    notice: {
      heading: "Termination",
      facts: [
        "{party} may terminate by giving notice of {months} months to the end of a quarter.",
        "The notice period for {party} is {months} months and must end with a calendar quarter.",
      ],
      more: [
        "Notice is valid only in writing and has to reach {person} in {town}.",
        "The right to terminate at once for a serious cause remains untouched.",
        "After the end both sides return what belongs to the other within {days} days.",
      ],
      near: ["What is the notice period for {name}?", "terminate {name} months notice quarter"],
      far: "How long must we wait before we are rid of {name}?",
    },
    fee: {
      heading: "Fee",
      facts: [
        "{client} pays {party} a yearly fee of {sum} in {number} equal instalments.",
        "The yearly fee of {party} amounts to {sum}, split into {number} instalments.",
      ],
      more: [
        "Invoices carry the order number {code} and go to {person}.",
        "Travel within {town} is included; other journeys need approval beforehand.",
        "A discount for early payment was not agreed.",
      ],
      near: ["How high is the yearly fee of {name}?", "instalments yearly fee {name}"],
      far: "What does {name} cost us per annum?",
    },
    deposit: {
      heading: "Security",
      facts: [
        "{party} lodges a security deposit of {sum} with {bank}.",
        "As security {party} has placed a deposit of {sum} in an account at {bank}.",
      ],
      more: [
        "The interest on it belongs to the party that paid it in.",
        "It is released within {days} days once {person} has confirmed that no claim is open.",
        "A guarantee by a bank of good standing may replace it.",
      ],
      near: ["security deposit of {name}", "With which bank did {name} lodge its deposit?"],
      far: "How much money is blocked as a pledge from {name}?",
    },
    interest: {
      heading: "Late payment",
      facts: [
        "On late payment {party} charges interest of {percent} per cent a year from day {days} after the invoice.",
        "From day {days} after the invoice an unpaid sum bears default interest of {percent} per cent for {party}.",
      ],
      more: [
        "A reminder is not needed, but {person} usually sends one.",
        "Part payments are counted against the oldest invoice first.",
        "Disputed positions may be held back until the matter is cleared.",
      ],
      near: ["interest on late payment {name}", "What default interest does {name} charge?"],
      far: "What happens if we transfer money to {name} too slowly?",
    },
    penalty: {
      heading: "Penalty",
      facts: [
        "For each day of delay {party} owes a contractual penalty of {sum}, at most {sum2} in all.",
        "If {party} is in delay, a penalty of {sum} falls due per day, limited to {sum2}.",
      ],
      more: [
        "It is set off against damages that {client} proves later.",
        "A delay that {person} has approved in writing does not count.",
        "Strikes and floods suspend the count of the days.",
      ],
      near: ["penalty per day of delay {name}", "How high is the contractual penalty for {name}?"],
      far: "What must {name} hand over for being tardy?",
    },
    warranty: {
      heading: "Warranty",
      facts: [
        "{party} gives a warranty of {months} months from acceptance.",
        "The warranty period for the work of {party} is {months} months and runs from acceptance.",
      ],
      more: [
        "Defects are reported to {person} without delay and with a photograph.",
        "Two attempts at repair are allowed before the price is reduced.",
        "Parts that wear out in ordinary use are not covered.",
      ],
      near: [
        "warranty of {name} after acceptance",
        "How many months of warranty does {name} give?",
      ],
      far: "Until when does {name} fix faults for free?",
    },
    liability: {
      heading: "Liability",
      facts: [
        "The liability of {party} is limited to {sum} for each claim.",
        "{party} is liable for up to {sum} per claim, and no further.",
      ],
      more: [
        "The limit does not apply to intent or to injury of a person.",
        "Lost profit is excluded on both sides.",
        "{person} keeps a list of the claims that have been raised.",
      ],
      near: ["limit of liability per claim {name}", "Up to which sum is {name} liable?"],
      far: "What is the most that {name} would ever compensate?",
    },
    insurance: {
      heading: "Insurance",
      facts: [
        "{party} holds third-party insurance with a cover of at least {sum} at {firm}.",
        "Third-party insurance of {party}: cover of {sum}, insurer {firm}.",
      ],
      more: [
        "A certificate is sent to {person} in the first week of every year.",
        "If the policy lapses, {client} may take one out at the other side's expense.",
        "Water damage and burglary are part of the policy.",
      ],
      near: ["third-party insurance cover {name}", "Which insurer covers {name}?"],
      far: "Who pays when {name} injures a visitor?",
    },
    secrecy: {
      heading: "Confidentiality",
      facts: [
        "{party} keeps all business information confidential for {years} years after the end.",
        "The duty of confidentiality binds {party} for {years} more years after the end.",
      ],
      more: [
        "What the public knows already is not covered.",
        "{person} decides which advisers may see the figures.",
        "Copies are destroyed, and a note of it is sent to {town}.",
      ],
      near: [
        "confidentiality {name} years after the end",
        "How long is {name} bound to confidentiality?",
      ],
      far: "May {name} talk to the press about our secrets?",
    },
    court: {
      heading: "Law and courts",
      facts: [
        "The courts of {town} alone have jurisdiction over disputes with {party}.",
        "Place of jurisdiction for claims against {party} is {town}.",
      ],
      more: [
        "The law of the seat of {client} applies, without its conflict rules.",
        "If one paragraph is void, the others remain in force.",
        "Changes need the signature of {person} and of one more director.",
      ],
      near: [
        "jurisdiction for disputes with {name}",
        "Which courts decide on claims against {name}?",
      ],
      far: "Where would we have to sue {name}?",
    },
    contact: {
      heading: "Contact",
      facts: [
        "{person} is the contact at {party} and answers within {days} working days.",
        "Questions go to the contact of {party}, {person}, who answers in {days} working days.",
      ],
      more: [
        "In urgent cases the night desk in {town} takes calls.",
        "A change of the name is announced two weeks ahead.",
        "Letters without the number {code} are sent back.",
      ],
      near: ["Who is the contact at {name}?", "contact {name} answers working days"],
      far: "Whom do I ring at {name}?",
    },
    delivery: {
      heading: "Delivery",
      facts: [
        "{party} delivers to {street}, {town}, by {date} at the latest.",
        "Goods of {party} are to be delivered to {street} in {town} no later than {date}.",
      ],
      more: [
        "The pallets are counted by {person} before the driver leaves.",
        "Goods that are damaged on the way are photographed and refused.",
        "Packaging is taken back free of charge.",
      ],
      near: ["Where does {name} deliver the goods?", "delivery address {name} latest date"],
      far: "At which ramp will the lorry of {name} unload?",
    },
    audit: {
      heading: "Audit",
      facts: [
        "{client} may audit the books of {party} once a year with {days} days of warning.",
        "Once a year, and {days} days after a written warning, the books of {party} may be audited.",
      ],
      more: [
        "{person} names the auditor and bears the cost.",
        "If more than three per cent is missing, the other side bears it.",
        "Copies may be taken, originals stay in {town}.",
      ],
      near: ["audit of the books of {name}", "How many days of warning before an audit at {name}?"],
      far: "Are we allowed to inspect the accounts {name} keeps?",
    },
    data: {
      heading: "Personal data",
      facts: [
        "{party} deletes personal data {days} days after the last order.",
        "Personal data held by {party} are to be deleted within {days} days of the last order.",
      ],
      more: [
        "The officer for the protection of data is {person}.",
        "Servers stand in {town} and in no other country.",
        "A breach is reported within two days, with the number of persons concerned.",
      ],
      near: ["deletion of personal data {name}", "When does {name} delete personal data?"],
      far: "Is private information about our staff erased at {name}?",
    },
    index: {
      heading: "Adjustment of prices",
      facts: [
        "Each {month} the prices of {party} follow the consumer index, by at most {percent} per cent.",
        "Prices of {party} are adjusted in {month} to the consumer index; the ceiling is {percent} per cent.",
      ],
      more: [
        "The first adjustment takes place after the second year.",
        "{person} sends the calculation four weeks beforehand.",
        "A fall of the index lowers them in the same way.",
      ],
      near: [
        "consumer index prices {name} at most per cent",
        "In which month are the prices of {name} adjusted?",
      ],
      far: "How much dearer may {name} become?",
    },
    keys: {
      heading: "Access",
      facts: [
        "{party} receives {number} access cards for {street}; {person} signs for them.",
        "{number} access cards for {street} were issued to {party} against the signature of {person}.",
      ],
      more: [
        "A lost card is blocked within the hour and costs forty euros.",
        "Visitors wear a badge and are met at the gate.",
        "The cards end with the agreement and are handed in at {town}.",
      ],
      near: ["How many access cards did {name} receive?", "access cards {name} {street}"],
      far: "Can people from {name} enter the building?",
    },
    repairs: {
      heading: "Repairs",
      facts: [
        "Small repairs of up to {sum} in a single case are borne by {party}.",
        "{party} bears repairs that cost no more than {sum} in the single case.",
      ],
      more: [
        "Roof, pillars and the main pipes stay with the owner.",
        "{person} must be asked before a wall is opened.",
        "The boiler is serviced every autumn by a firm from {town}.",
      ],
      near: ["small repairs borne by {name}", "Up to which sum does {name} bear repairs?"],
      far: "Who mends a broken tap for {name}?",
    },
    mediation: {
      heading: "Mediation",
      facts: [
        "Before a suit the parties call {person} of {town} as mediator between {client} and {party}; the talks end after {days} days.",
        "A dispute with {party} first goes to the mediator {person} in {town} for up to {days} days.",
      ],
      more: [
        "Each side bears its own costs and half of the common ones.",
        "What is said there must not be used in court.",
        "Urgent measures remain possible at any time.",
      ],
      near: ["Who is the mediator for {name}?", "mediator dispute {name} days"],
      far: "Which neutral helper do we and {name} see if we quarrel?",
    },
    hours: {
      heading: "Hours",
      facts: [
        "{party} works on site between {hour} and {hour2} o'clock, and on Saturdays only after a call to {person}.",
        "Working hours of {party} on site are from {hour} to {hour2} o'clock; Saturdays need a call to {person}.",
      ],
      more: [
        "Noise before breakfast has led to complaints from the neighbours.",
        "In December the hours may be extended for stocktaking.",
        "The gate in {town} closes by itself.",
      ],
      near: ["working hours of {name} on site", "Between which hours does {name} work?"],
      far: "Is {name} around late in the evening?",
    },
  },
  journal: {
    heading: "Journal",
    acts: [
      "On {date} {person} visited {street} in {town}",
      "{person} wrote to {client} on {date}",
      "At the meeting of {date} {person} presented the figures",
      "{person} and {person2} spoke by telephone on {date}",
      "A colleague of {person} opened the crates on {date}",
      "On {date} the accounts department under {person} checked the entries",
      "{person} walked through the hall in {town} on {date}",
      "The weekly report of {date} comes from {person}",
      "On {date} a letter from {town} reached {person}",
    ],
    findings: [
      "and found the floor wet below the third window",
      "and counted {number} crates more than the list shows",
      "and asked for a second opinion on the drawings",
      "and noted that {sum} had been posted twice",
      "and praised the tidy state of the archive",
      "and reported a noise from the fan on the roof",
      "and saw that the paint on the north side peels off",
      "and missed the signed page of the minutes",
      "and proposed a new route around the bridge",
      "and learned that two drivers are ill until {month}",
      "and compared three offers, of which the lowest was {sum}",
      "and recalled the promise made before the summer",
    ],
    steps: [
      "{person2} will look at it again before the end of {month}.",
      "The point stays open until the plumber has been there.",
      "A photograph is kept under {code}.",
      "Nobody objected, so the proposal counts as accepted.",
      "The cost of {sum} is shared in equal parts.",
      "{person2} asked for a copy and received it the same day.",
      "It was agreed to wait for the weather to improve.",
      "The supplier promised a replacement in {days} days.",
      "This does not change the dates that were set before.",
      "The chair thanked everybody and closed the point.",
      "An entry in the list of risks was made under {code}.",
    ],
  },
  firms: [
    list(
      "Alder, Bram, Cold, Dun, Elm, Fern, Grey, Hazel, Iron, Juniper, Kestrel, Lark, Marsh, Nettle, Otter, Pebble, Quarry, Raven, Sedge, Thorn, Umber, Vetch, Willow, Yarrow",
    ),
    list("brook, field, gate, holm, ley, mere, ridge, stow, wick, worth"),
    "Ltd",
  ],
  people: [
    list(
      "Alice, Bernard, Clara, Dylan, Esther, Felix, Grace, Hugh, Imogen, Jasper, Keira, Leonard, Maud, Nigel",
    ),
    list(
      "Ashcombe, Birtwhistle, Cartledge, Dunmore, Eastwick, Fairclough, Goodall, Hartnell, Ingleby, Jessop, Kershaw, Lockyer, Mallory, Northcott, Ormerod, Pickering",
    ),
  ],
  towns: list(
    "Bristol, Leeds, Norwich, Exeter, Carlisle, Swansea, Dundee, Lincoln, Ipswich, Truro, Durham, Preston",
  ),
  streets: list(
    "12 Mill Lane, 4 Foundry Road, 77 Harbour Street, 31 Chapel Row, 9 Station Approach, 58 Orchard Way, 120 Canal Side, 3 Tannery Yard",
  ),
  banks: list("Severn Mutual, Tyne Savings Bank, Pennine Trust, Channel Merchant Bank"),
  amount: (sum) => `${sum} pounds`,
};
