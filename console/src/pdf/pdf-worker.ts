/** Reads and draws PDFs away from the page: a note comes from outside, and may be slow or broken. */
import * as pdfjs from "unpdf/pdfjs";
import { findWords, type TextRun } from "./find-words.ts";

interface Call {
  readonly id: number;
  readonly documentId: string;
  readonly bytes?: ArrayBuffer;
  readonly page?: number;
  readonly scale?: number;
  /** Find these on the page instead of drawing it. */
  readonly phrases?: readonly string[];
}

/** pdf.js draws on canvases of a page; a worker has none of its own. */
class CanvasFactory {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext("2d") };
  }
  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number) {
    Object.assign(canvas, { width, height });
  }
  destroy({ canvas }: { canvas: OffscreenCanvas }) {
    Object.assign(canvas, { width: 0, height: 0 });
  }
}
class FilterFactory {
  addFilter() {
    return "none";
  }
  addHCMFilter() {
    return "none";
  }
  addAlphaFilter() {
    return "none";
  }
  addLuminosityFilter() {
    return "none";
  }
  addHighlightHCMFilter() {
    return "none";
  }
  destroy() {}
}

type Pdf = Awaited<ReturnType<typeof pdfjs.getDocument>["promise"]>;
const open = new Map<string, Promise<Pdf>>();
const OPEN_MAX = 4;
const worker = self as unknown as {
  onmessage: ((event: MessageEvent<Call>) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
  fonts: unknown;
};

worker.onmessage = ({ data }) => {
  run(data).then(
    ({ answer, transfer }) => worker.postMessage({ id: data.id, answer }, transfer),
    (error: unknown) => worker.postMessage({ id: data.id, error: (error as Error).message }),
  );
};

async function run(call: Call): Promise<{ answer: unknown; transfer: Transferable[] }> {
  if (call.bytes !== undefined) {
    const pdf = await openPdf(call.documentId, call.bytes);
    const pages = await Promise.all(
      Array.from({ length: pdf.numPages }, async (_, index) => {
        const { width, height } = (await pdf.getPage(index + 1)).getViewport({ scale: 1 });
        return { width, height };
      }),
    );
    return { answer: pages, transfer: [] };
  }
  const pdf = await open.get(call.documentId)!;
  const page = await pdf.getPage(call.page!);
  if (call.phrases !== undefined)
    return { answer: findWords(await runsOf(page), call.phrases), transfer: [] };
  const viewport = page.getViewport({ scale: call.scale! });
  const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({
    canvasContext: canvas.getContext("2d") as never,
    canvas: null as never,
    viewport,
  }).promise;
  const image = canvas.transferToImageBitmap();
  return { answer: image, transfer: [image] };
}

type PdfPage = Awaited<ReturnType<Pdf["getPage"]>>;

async function runsOf(page: PdfPage): Promise<TextRun[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent();
  const pen = new OffscreenCanvas(1, 1).getContext("2d")!;
  return items.flatMap((item) => {
    if (!("str" in item) || item.str === "") return [];
    return [
      {
        text: item.str,
        width: item.width,
        matrix: pdfjs.Util.transform(transform, item.transform) as number[],
        // The width of the run is known and the letters are not equally wide: the font says how they share it.
        share: (characters: number) => {
          pen.font = `100px "${item.fontName}", ${styles[item.fontName]?.fontFamily ?? "sans-serif"}`;
          const whole = pen.measureText(item.str).width;
          if (whole === 0) return characters / item.str.length;
          return pen.measureText(item.str.slice(0, characters)).width / whole;
        },
      },
    ];
  });
}

function openPdf(documentId: string, bytes: ArrayBuffer): Promise<Pdf> {
  const known = open.get(documentId);
  if (known !== undefined) return known;
  for (const [old, pdf] of [...open].slice(0, Math.max(0, open.size - OPEN_MAX + 1))) {
    open.delete(old);
    void pdf.then((each) => each.destroy());
  }
  const pdf = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    ownerDocument: { fonts: worker.fonts } as never,
    CanvasFactory: CanvasFactory as never,
    FilterFactory: FilterFactory as never,
    verbosity: 0,
  } as never).promise;
  open.set(documentId, pdf);
  pdf.catch(() => open.delete(documentId));
  return pdf;
}
