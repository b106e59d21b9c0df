/** The page's side of the PDF worker, which starts when the first PDF is shown. */
import type { Box } from "../data/reviews.ts";

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, { done(answer: unknown): void; fail(error: Error): void }>();

function call<T>(message: object, transfer: Transferable[] = []): Promise<T> {
  if (worker === null) {
    worker = new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({
      data,
    }: MessageEvent<{ id: number; answer?: unknown; error?: string }>) => {
      const each = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error === undefined) each?.done(data.answer);
      else each?.fail(new Error(data.error));
    };
  }
  lastId += 1;
  const id = lastId;
  worker.postMessage({ ...message, id }, transfer);
  return new Promise<T>((done, fail) =>
    waiting.set(id, { done: done as (answer: unknown) => void, fail }),
  );
}

/** Sizes in points, as the pages are shown. The bytes stay ours: the worker gets a copy. */
export const openPdf = (documentId: string, bytes: ArrayBuffer): Promise<PageSize[]> => {
  const copy = bytes.slice(0);
  return call({ documentId, bytes: copy }, [copy]);
};

export const drawPage = (documentId: string, page: number, scale: number): Promise<ImageBitmap> =>
  call({ documentId, page, scale });

/** The document must be open. */
export const findOnPage = (
  documentId: string,
  page: number,
  phrases: readonly string[],
): Promise<Box[]> => call({ documentId, page, phrases });
