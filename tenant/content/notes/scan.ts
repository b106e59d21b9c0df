import { crc32, deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import type { Random } from "../../random.ts";
import type { Mark, Pen } from "./pen.ts";

/**
 * A note as a scanner delivers it: every page is one grey picture, without text that a machine could copy.
 */
export async function scanNote(pen: Pen, random: Random, createdAt: Date): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    pdfVersion: "1.4",
    info: { CreationDate: createdAt, ModDate: createdAt, Producer: "Office scanner" },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve, reject) => {
    document.on("end", resolve);
    document.on("error", reject);
  });
  for (let page = 1; page <= pen.page(); page++) {
    const marks = pen.marks().filter((mark) => mark.page === page);
    document.addPage({ size: [pen.width, pen.height], margin: 0 });
    document.image(paintPage(marks, pen, random), 0, 0, { width: pen.width, height: pen.height });
  }
  document.end();
  await finished;
  return Buffer.concat(chunks);
}

/** Dots per point; two is 144 to the inch. */
const SCALE = 2;

function paintPage(marks: readonly Mark[], pen: Pen, random: Random): Buffer {
  const width = Math.ceil(pen.width * SCALE);
  const height = Math.ceil(pen.height * SCALE);
  const pixels = Buffer.alloc(width * height, 0xf6);
  const paint = (x: number, y: number, grey: number) => {
    if (x >= 0 && y >= 0 && x < width && y < height) pixels[y * width + x] = grey;
  };
  for (const mark of marks) paintText(mark, paint);
  for (let speck = 0; speck < 400; speck++) paint(random.below(width), random.below(height), 0x90);
  return toPng(pixels, width, height);
}

/** Draws capitals of five by seven dots, stretched to the width that the text had in print. */
function paintText(mark: Mark, paint: (x: number, y: number, grey: number) => void): void {
  const letters = [...mark.text.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase()];
  const advance = (mark.box.width / letters.length) * SCALE;
  const top = (mark.box.y + mark.box.height * 0.15) * SCALE;
  const tall = mark.box.height * 0.62 * SCALE;
  letters.forEach((letter, index) => {
    const rows = GLYPHS[letter];
    if (rows === undefined) return;
    const left = mark.box.x * SCALE + index * advance;
    for (let y = 0; y < tall; y++) {
      const bits = Number.parseInt(rows[Math.floor((y * 7) / tall)]!, 32);
      for (let x = 0; x < advance; x++) {
        const column = Math.floor((x * 6) / advance);
        if (column < 5 && (bits >> (4 - column)) & 1)
          paint(Math.round(left + x), Math.round(top + y), 0x28);
      }
    }
  });
}

/** Seven rows from the top; each digit in base 32 holds the five bits of a row. */
const GLYPHS: Record<string, string> = {
  A: "ehhvhhh",
  B: "uhhuhhu",
  C: "ehggghe",
  D: "uhhhhhu",
  E: "vgguggv",
  F: "vgguggg",
  G: "ehgnhhe",
  H: "hhhvhhh",
  I: "e44444e",
  J: "72222ic",
  K: "hikokih",
  L: "ggggggv",
  M: "hrllhhh",
  N: "hhpljhh",
  O: "ehhhhhe",
  P: "uhhuggg",
  Q: "ehhhlid",
  R: "uhhukih",
  S: "fgge11u",
  T: "v444444",
  U: "hhhhhhe",
  V: "hhhhha4",
  W: "hhhllla",
  X: "hha4ahh",
  Y: "hhha444",
  Z: "v1248gv",
  0: "ehjlphe",
  1: "4c4444e",
  2: "eh1248v",
  3: "v2421he",
  4: "26aiv22",
  5: "vgu11he",
  6: "68guhhe",
  7: "v124888",
  8: "ehhehhe",
  9: "ehhf12c",
  ".": "00000cc",
  ",": "0000c48",
  ":": "0cc0cc0",
  "/": "01248g0",
  "-": "000v000",
  "%": "op248j3",
  "'": "4480000",
  "(": "2488842",
  ")": "8422248",
  "+": "044v440",
};

/** A minimal PNG: size, pixels, end. One byte of grey per pixel, rows unfiltered. */
function toPng(pixels: Buffer, width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    pixels.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  }
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, sum]);
}
