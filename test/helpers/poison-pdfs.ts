import { constants, deflateRawSync, deflateSync } from "node:zlib";

/**
 * PDFs made to harm their reader. Each has a few kilobytes and takes gigabytes or endless time, or tries to
 * run code.
 */
export interface Poison {
  name: string;
  pdf: Buffer;
  /** The acceptable results; a reader may notice one problem before another. */
  reasons: string[];
}

export function poisonSet(canaryPath: string): Poison[] {
  return [
    {
      name: "a stream that unpacks to 400 MB",
      pdf: flateBomb(1),
      reasons: ["memory", "timed-out", "too-much-text"],
    },
    {
      name: "400 MB under two layers",
      pdf: flateBomb(2),
      reasons: ["memory", "timed-out", "too-much-text"],
    },
    {
      name: "four million text operators",
      pdf: manyOperators(),
      reasons: ["too-much-text", "timed-out", "memory"],
    },
    {
      name: "a page tree that contains itself",
      pdf: pageTreeLoop(),
      reasons: ["damaged", "no-text"],
    },
    {
      name: "a claim of a hundred million pages",
      pdf: hugeCount(),
      reasons: ["too-many-pages", "damaged", "no-text"],
    },
    {
      name: "a million nested arrays",
      pdf: deepNesting(),
      reasons: ["damaged", "no-text", "crashed"],
    },
    {
      name: "a form that paints itself",
      pdf: formLoop(),
      reasons: ["no-text", "damaged", "timed-out", "memory", "too-much-text"],
    },
    {
      name: "ten forms that paint ten forms, eight deep",
      pdf: formTower(),
      reasons: ["too-much-text", "timed-out", "memory"],
    },
    {
      name: "a character map for every number there is",
      pdf: characterMapBomb(),
      reasons: ["memory", "timed-out", "damaged", "no-text"],
    },
    {
      name: "a cross-reference that points at itself",
      pdf: crossReferenceLoop(),
      reasons: ["damaged"],
    },
    {
      name: "a font that is a program",
      pdf: evalFont(canaryPath),
      reasons: ["no-text", "damaged"],
    },
    { name: "no bytes", pdf: Buffer.alloc(0), reasons: ["empty"] },
    {
      name: "a Windows program",
      pdf: Buffer.from("MZ\x90\x00\x03\x00\x00\x00", "latin1"),
      reasons: ["not-a-pdf"],
    },
    { name: "a header and noise", pdf: noise(), reasons: ["damaged"] },
  ];
}

type Body = string | { dictionary: string; stream: Buffer };

/** Objects numbered from 1, of which the first is the catalogue. */
function buildPdf(objects: Body[], trailer = ""): Buffer {
  const chunks: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = chunks[0]!.length;
  const add = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  };
  objects.forEach((body, index) => {
    offsets.push(length);
    add(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof body === "string") add(Buffer.from(body));
    else {
      add(Buffer.from(`<< ${body.dictionary} /Length ${body.stream.length} >>\nstream\n`));
      add(body.stream);
      add(Buffer.from("\nendstream"));
    }
    add(Buffer.from("\nendobj\n"));
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

function page(resources: string): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`;
}

/** A deflate stream of `piece`, repeated `times`, without ever holding all of it in memory. */
function repeatDeflated(piece: Buffer, times: number): Buffer {
  const block = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const end = deflateRawSync(Buffer.alloc(0));
  const blocks = Array.from({ length: times }, () => block);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, end, Buffer.alloc(4)]);
}

function flateBomb(layers: 1 | 2): Buffer {
  const megabytes = repeatDeflated(Buffer.alloc(2 ** 20, " "), 400);
  const stream = layers === 1 ? megabytes : deflateSync(megabytes, { level: 9 });
  const filter = layers === 1 ? "/FlateDecode" : "[/FlateDecode /FlateDecode]";
  return buildPdf([
    CATALOG,
    PAGES,
    page("/Font << /F 5 0 R >>"),
    { dictionary: `/Filter ${filter}`, stream },
    FONT,
  ]);
}

function manyOperators(): Buffer {
  const piece = Buffer.from("BT /F 9 Tf 9 9 Td (a) Tj ET ".repeat(40_000));
  const stream = repeatDeflated(piece, 100);
  return buildPdf([
    CATALOG,
    PAGES,
    page("/Font << /F 5 0 R >>"),
    { dictionary: "/Filter /FlateDecode", stream },
    FONT,
  ]);
}

function pageTreeLoop(): Buffer {
  return buildPdf([CATALOG, "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]);
}

function hugeCount(): Buffer {
  const pages = "<< /Type /Pages /Kids [3 0 R] /Count 100000000 >>";
  return buildPdf([CATALOG, pages, page(""), { dictionary: "", stream: Buffer.from(" ") }]);
}

function deepNesting(): Buffer {
  const depth = 1_000_000;
  const nested = "[".repeat(depth) + "]".repeat(depth);
  return buildPdf([
    CATALOG,
    PAGES,
    page("/Font << /F 5 0 R >>"),
    { dictionary: "", stream: Buffer.from(nested) },
    nested,
  ]);
}

function formLoop(): Buffer {
  const stream = Buffer.from("/X Do");
  const form = {
    dictionary:
      "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>",
    stream,
  };
  return buildPdf([
    CATALOG,
    PAGES,
    page("/XObject << /X 5 0 R >>"),
    { dictionary: "", stream },
    form,
  ]);
}

function formTower(): Buffer {
  const levels = 8;
  const forms = Array.from({ length: levels }, (_, level): Body => {
    const isTop = level === levels - 1;
    const stream = Buffer.from(isTop ? "BT /F 9 Tf (aaaaaaaaaa) Tj ET" : "/X Do ".repeat(10));
    const resources = isTop ? "/Font << /F 5 0 R >>" : `/XObject << /X ${7 + level} 0 R >>`;
    return {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${resources} >>`,
      stream,
    };
  });
  const stream = Buffer.from("/X Do ".repeat(10));
  return buildPdf([
    CATALOG,
    PAGES,
    page("/XObject << /X 6 0 R >>"),
    { dictionary: "", stream },
    FONT,
    ...forms,
  ]);
}

function characterMapBomb(): Buffer {
  const ranges = Array.from({ length: 100 }, () => "<00000000> <FFFFFFFF> <0041>").join("\n");
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange 100 beginbfrange ${ranges} endbfrange endcmap`;
  const font =
    "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [7 0 R] >>";
  const child =
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> /DW 500 >>";
  const stream = Buffer.from("BT /F 9 Tf 9 9 Td <0000> Tj ET");
  return buildPdf([
    CATALOG,
    PAGES,
    page("/Font << /F 5 0 R >>"),
    { dictionary: "", stream },
    font,
    { dictionary: "", stream: Buffer.from(map) },
    child,
  ]);
}

/** The table names itself as its predecessor, and the root is missing. */
function crossReferenceLoop(): Buffer {
  const body = "%PDF-1.7\n";
  const table = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Prev ${body.length} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table);
}

/** Old readers compiled a font's matrix into a function; this one would write a file. */
function evalFont(canaryPath: string): Buffer {
  const code = `0\\); process.getBuiltinModule('node:fs').writeFileSync('${canaryPath}', 'x'\\); //`;
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Evil /FontMatrix [1 2 3 4 5 (${code})] /FirstChar 65 /LastChar 65 /Widths [500] /FontDescriptor 6 0 R >>`;
  const descriptor =
    "<< /Type /FontDescriptor /FontName /Evil /Flags 4 /FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 9 /Descent 0 /CapHeight 9 /StemV 9 >>";
  const script = `<< /S /JavaScript /JS (process.getBuiltinModule\\('node:fs'\\).writeFileSync\\('${canaryPath}', 'x'\\)) >>`;
  const catalog = "<< /Type /Catalog /Pages 2 0 R /OpenAction 7 0 R >>";
  return buildPdf([
    catalog,
    PAGES,
    page("/Font << /F 5 0 R >>"),
    { dictionary: "", stream: Buffer.from("BT /F 9 Tf 9 9 Td ( ) Tj ET") },
    font,
    descriptor,
    script,
  ]);
}

function noise(): Buffer {
  const bytes = Buffer.from(
    Array.from({ length: 4000 }, (_, index) => (index * 7919 + (index >> 3)) & 0xff),
  );
  return Buffer.concat([Buffer.from("%PDF-1.4\n"), bytes, Buffer.from("\n%%EOF\n")]);
}
