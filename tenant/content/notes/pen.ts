import PDFDocument from "pdfkit";
import type { Box, Source } from "./note.ts";

/** A printed piece of text, in the coordinates of the page as it is displayed. */
export interface Mark extends Source {
  baseline: number;
}

export interface Type {
  font: string;
  size: number;
  color?: string;
}

/** Draws on a document and remembers where every piece of text went. */
export interface Pen {
  readonly width: number;
  readonly height: number;
  page(): number;
  newPage(): void;
  widthOf(text: string, type: Type): number;
  /** Prints one piece of text from `x` on the given baseline. */
  print(text: string, x: number, baseline: number, type: Type): Mark;
  line(x1: number, y1: number, x2: number, y2: number, color: string): void;
  fill(box: Box, color: string): void;
  marks(): readonly Mark[];
  finish(): Promise<Buffer>;
}

export interface PenOptions {
  paper: "A4" | "LETTER";
  title: string;
  author: string;
  /** Written into the file, so that equal notes are equal bytes. */
  createdAt: Date;
  password?: string;
  /** True if the page is stored sideways and the file says to rotate it. */
  isTurned?: boolean;
}

const PAPERS = { A4: [595.28, 841.89], LETTER: [612, 792] } as const;

export function createPen(options: PenOptions): Pen {
  const [width, height] = PAPERS[options.paper];
  const document = openDocument(options, width, height);
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const marks: Mark[] = [];
  let page = 0;

  const pen: Pen = {
    width,
    height,
    page: () => page,
    marks: () => marks,
    newPage() {
      page++;
      document.addPage();
      if (!options.isTurned) return;
      Object.assign(document.page.dictionary.data, { Rotate: 90 });
      document.transform(0, -1, 1, 0, 0, width);
    },
    widthOf: (text, type) => document.font(type.font).fontSize(type.size).widthOfString(text),
    print(text, x, baseline, type) {
      const textWidth = pen.widthOf(text, type);
      document.fillColor(type.color ?? "#111111");
      document.text(text, x, baseline, { lineBreak: false, baseline: "alphabetic" });
      const box = { x, y: baseline - type.size * 0.9, width: textWidth, height: type.size * 1.15 };
      const mark = { page, box, text, baseline };
      marks.push(mark);
      return mark;
    },
    line: (x1, y1, x2, y2, color) =>
      void document.lineWidth(0.6).strokeColor(color).moveTo(x1, y1).lineTo(x2, y2).stroke(),
    fill: (box, color) => void document.rect(box.x, box.y, box.width, box.height).fill(color),
    finish: () =>
      new Promise((resolve, reject) => {
        document.on("end", () => resolve(Buffer.concat(chunks)));
        document.on("error", reject);
        document.end();
      }),
  };
  return pen;
}

function openDocument(options: PenOptions, width: number, height: number): PDFKit.PDFDocument {
  return new PDFDocument({
    autoFirstPage: false,
    size: options.isTurned ? [height, width] : [width, height],
    margin: 0,
    // Newer versions encrypt with random salts, so equal notes would not be equal bytes.
    pdfVersion: "1.4",
    info: {
      Title: options.title,
      Author: options.author,
      CreationDate: options.createdAt,
      ModDate: options.createdAt,
    },
    ...(options.password === undefined
      ? {}
      : { userPassword: options.password, ownerPassword: `${options.password}-owner` }),
  });
}

/** The printed text by baseline, one space per gap, with pages separated by a form feed. */
export function textOf(marks: readonly Mark[]): string {
  const pages: string[] = [];
  const pageMax = Math.max(0, ...marks.map((mark) => mark.page));
  for (let page = 1; page <= pageMax; page++) {
    const rows = new Map<string, Mark[]>();
    for (const mark of marks) {
      if (mark.page !== page) continue;
      const key = mark.baseline.toFixed(1);
      rows.set(key, [...(rows.get(key) ?? []), mark]);
    }
    const sorted = [...rows].sort(([a], [b]) => Number(a) - Number(b));
    pages.push(sorted.map(([, row]) => joinRow(row)).join("\n"));
  }
  return pages.join("\f");
}

function joinRow(row: Mark[]): string {
  let text = "";
  let right = Number.NEGATIVE_INFINITY;
  for (const mark of row.sort((a, b) => a.box.x - b.box.x)) {
    text += (text === "" || mark.box.x - right < 0.5 ? "" : " ") + mark.text;
    right = mark.box.x + mark.box.width;
  }
  return text.replace(/\s+/gu, " ").trim();
}
