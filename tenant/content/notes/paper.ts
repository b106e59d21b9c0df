import type { Random } from "../../random.ts";
import type { Pen, Type } from "./pen.ts";
import { type Writer, writeDay } from "./writer.ts";

/** Letterhead, address window and footer: everything on a sheet that is not about the trade. */
export interface Paper {
  pen: Pen;
  writer: Writer;
  client: string | undefined;
  /** The date of the note. */
  day: string;
  random: Random;
}

const CLIENTS = [
  "Mara Lindqvist",
  "Theo Brandis",
  "Ines Calvário",
  "Oskar Vermeulen",
  "Livia Santori",
  "Jonas Achterberg",
];
const STREETS = [
  "Birkenweg 12",
  "Harbour Lane 8",
  "Rua das Oliveiras 41",
  "Lindegade 17",
  "Via Castagneto 5",
];
const LEFT = 62;

/** Starts a sheet and returns the baseline on which its text begins. */
export function printPaper(paper: Paper): number {
  const { pen } = paper;
  pen.newPage();
  printHead(paper);
  printFooter(paper);
  if (pen.page() > 1) return 130;
  printAddress(paper);
  return 262;
}

function printHead({ pen, writer }: Paper): void {
  const { skin } = writer;
  const name: Type = { font: skin.fonts.bold, size: skin.size + 5, color: skin.accent };
  const small: Type = { font: skin.fonts.regular, size: skin.size - 2 };
  skin.broker.forEach((text, index) => {
    const type = index === 0 ? name : small;
    pen.print(text, headX(pen, skin.head, text, type), 52 + index * (skin.size + 3), type);
  });
  pen.line(LEFT, 86, pen.width - 56, 86, skin.accent);
}

function headX(pen: Pen, head: "left" | "right" | "centre", text: string, type: Type): number {
  if (head === "left") return LEFT;
  const free = pen.width - 56 - LEFT - pen.widthOf(text, type);
  return LEFT + (head === "right" ? free : free / 2);
}

function printAddress({ pen, writer, client, day, random }: Paper): void {
  const { skin, labels } = writer;
  const type: Type = { font: skin.fonts.regular, size: skin.size };
  const lines = [
    client ?? random.pick(CLIENTS),
    random.pick(STREETS),
    `${10000 + random.below(89999)} ${random.pick(["Ellerby", "Mühlenau", "Sant Aurel", "Vestervang"])}`,
  ];
  const x = skin.head === "right" ? LEFT : pen.width - 56 - 170;
  lines.forEach((text, index) => {
    pen.print(text, x, 130 + index * skin.size * 1.45, type);
  });
  const date = `${labels.date} ${writeDay(writer, day)}`;
  const other = skin.head === "right" ? pen.width - 56 - pen.widthOf(date, type) : LEFT;
  pen.print(date, other, 214, type);
}

function printFooter({ pen, writer }: Paper): void {
  const { skin, labels } = writer;
  const type: Type = { font: skin.fonts.regular, size: skin.size - 2.5, color: "#666666" };
  const y = pen.height - 44;
  pen.line(LEFT, y - 12, pen.width - 56, y - 12, "#bbbbbb");
  skin.contact.forEach((text, index) => {
    pen.print(text, LEFT + index * 158, y, type);
  });
  pen.print(`${labels.page} ${pen.page()}`, LEFT, y + 14, type);
}
