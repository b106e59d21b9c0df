/** A page of a PDF with highlighted regions: the focused field of a note, or the words that an answer cites. */
import { useEffect, useRef, useState } from "react";
import type { Box } from "../data/reviews.ts";
import { IconButton } from "../design/button.tsx";
import { Empty, Loading } from "../design/feedback.tsx";
import { Failure } from "../shell/failure.tsx";
import { save } from "../shell/save.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { drawPage, openPdf, type PageSize } from "./pdf-client.ts";

export interface Region {
  readonly key: string;
  readonly page: number;
  readonly box: Box;
  readonly isFocused: boolean;
  readonly isGrounded: boolean;
}

/** In a strip on a phone a page that fits its width cannot be read. */
const STRIP_PX = 480;
/** Points around the words. */
const PADDING = 3;
/** Between the window and the page. */
const EDGE_PX = 16;
const ZOOM_KEY = "postroom.zoom";
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

export interface PdfContent {
  readonly data: ArrayBuffer | undefined;
  readonly error: unknown;
}

export function PageView({
  documentId,
  filename,
  content,
  regions,
  startPage = 1,
  onOpened,
}: {
  documentId: string;
  filename: string;
  content: PdfContent;
  regions: readonly Region[];
  /** Shown while no region is focused. */
  startPage?: number;
  onOpened?: (pages: number) => void;
}) {
  const pdf = usePdf(documentId, content.data);
  const [pageNumber, setPageNumber] = useState(startPage);
  const [zoom, setZoom] = useState(() => Number(localStorage.getItem(ZOOM_KEY)) || 1);
  const focused = regions.find(({ isFocused }) => isFocused);
  const pages = pdf.pages?.length ?? 1;
  const opened = pdf.pages?.length;
  const wantedPage = focused?.page ?? startPage;
  useEffect(() => setPageNumber(wantedPage), [wantedPage]);
  useEffect(() => {
    if (opened !== undefined) onOpened?.(opened);
  }, [opened, onOpened]);
  const change = (step: number) => {
    const at = ZOOMS.indexOf(zoom);
    const next = step === 0 ? 1 : (ZOOMS[(at === -1 ? 2 : at) + step] ?? zoom);
    localStorage.setItem(ZOOM_KEY, String(next));
    setZoom(next);
  };
  const turn = (step: number) => setPageNumber((now) => Math.max(1, Math.min(pages, now + step)));
  useShortcuts({
    "+": () => change(1),
    "-": () => change(-1),
    "0": () => change(0),
    "[": () => turn(-1),
    "]": () => turn(1),
  });
  const error = (content.data === undefined ? content.error : null) ?? pdf.error;
  return (
    <section
      aria-label={`Page ${pageNumber} of ${filename}`}
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-sunken"
    >
      <div className="flex h-8 shrink-0 items-center gap-1 border-border border-b bg-canvas px-4 text-label text-text-2">
        <span className="flex-1">{opened !== undefined && `Page ${pageNumber} of ${pages}`}</span>
        {pages > 1 && (
          <>
            <IconButton label="Previous page" icon="back" onClick={() => turn(-1)} />
            <IconButton label="Next page" icon="chevron" onClick={() => turn(1)} />
          </>
        )}
        {opened !== undefined && <Zoom zoom={zoom} onChange={change} />}
        {content.data !== undefined && (
          <IconButton
            label="Download"
            icon="download"
            onClick={() => save(new Blob([content.data!], { type: "application/pdf" }), filename)}
          />
        )}
      </div>
      {error instanceof Locked ? (
        <Empty icon="key" title="The file needs a password." />
      ) : error ? (
        <Failure error={error} />
      ) : pdf.pages === null ? (
        <Loading what="the page" rows={12} />
      ) : (
        <Sheet
          key={`${documentId}-${pageNumber}`}
          documentId={documentId}
          pageNumber={pageNumber}
          size={pdf.pages[pageNumber - 1] ?? pdf.pages[0]!}
          zoom={zoom}
          regions={regions.filter(({ page }) => page === pageNumber)}
        />
      )}
    </section>
  );
}

function usePdf(documentId: string, bytes: ArrayBuffer | undefined) {
  const [state, setState] = useState<{
    pages: PageSize[] | null;
    error: Error | null;
    of: string;
  }>({ pages: null, error: null, of: documentId });
  useEffect(() => {
    if (bytes === undefined) return;
    let isGone = false;
    openPdf(documentId, bytes).then(
      (pages) => isGone || setState({ pages, error: null, of: documentId }),
      (error: Error) =>
        isGone || setState({ pages: null, error: toReadable(error), of: documentId }),
    );
    return () => {
      isGone = true;
    };
  }, [documentId, bytes]);
  return state.of === documentId ? state : { pages: null, error: null };
}

/** Nothing failed: somebody has to give the password first. */
class Locked extends Error {}

const toReadable = (error: Error): Error =>
  /password/i.test(error.message) ? new Locked(error.message) : error;

function Zoom({ zoom, onChange }: { zoom: number; onChange: (step: number) => void }) {
  const percent = Math.round(zoom * 100);
  return (
    <>
      <IconButton label="Smaller" icon="minus" onClick={() => onChange(-1)} />
      <button
        type="button"
        title="Fit the width"
        aria-label={`Zoom ${percent} percent, fit the width`}
        onClick={() => onChange(0)}
        className="tabular h-6 w-12 rounded-key text-center hover:bg-sunken"
      >
        {percent} %
      </button>
      <IconButton label="Larger" icon="plus" onClick={() => onChange(1)} />
    </>
  );
}

function Sheet({
  documentId,
  pageNumber,
  size,
  zoom,
  regions,
}: {
  documentId: string;
  pageNumber: number;
  size: PageSize;
  zoom: number;
  regions: readonly Region[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const element = scroller.current!;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const focused = regions.find(({ isFocused }) => isFocused);
  const fit = Math.min(1.6, Math.max(200, room - 32) / size.width);
  const least = focused !== undefined && room < STRIP_PX ? 1 : 0;
  const scale = Math.max(fit, least) * zoom;
  useEffect(() => {
    if (room === 0) return;
    let isGone = false;
    void drawPage(documentId, pageNumber, scale * devicePixelRatio).then((image) => {
      const target = canvas.current;
      if (isGone || target === null) return image.close();
      target.width = image.width;
      target.height = image.height;
      target.getContext("bitmaprenderer")!.transferFromImageBitmap(image);
      target.dataset["drawn"] = "true";
    });
    return () => {
      isGone = true;
    };
  }, [documentId, pageNumber, scale, room]);
  useScrollTo(scroller.current, focused, scale);
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="group"
      aria-label="Page"
      className="min-h-0 flex-1 overflow-auto p-4"
    >
      <div
        className="relative mx-auto bg-[#ffffff] shadow-popover dark:brightness-[0.94]"
        style={{ width: size.width * scale, height: size.height * scale }}
      >
        <canvas ref={canvas} aria-hidden data-points={size.width} className="block size-full" />
        {regions.map((region) => (
          <RegionMark key={region.key} region={region} scale={scale} />
        ))}
      </div>
    </div>
  );
}

function RegionMark({ region, scale }: { region: Region; scale: number }) {
  const { box, isFocused, isGrounded } = region;
  const look = !isGrounded
    ? "border-2 border-dashed border-[#885000] bg-[#8850001f]"
    : isFocused
      ? "border-2 border-[#2350c0] bg-[#2350c021]"
      : "border border-[#2350c0] bg-[#2350c00f]";
  return (
    <span
      data-region={region.key}
      data-focused={isFocused || undefined}
      className={`pointer-events-none absolute rounded-[3px] ${look}`}
      style={{
        left: (box.x - PADDING) * scale,
        top: (box.y - PADDING) * scale,
        width: Math.max(12, (box.width + 2 * PADDING) * scale),
        height: Math.max(12, (box.height + 2 * PADDING) * scale),
      }}
    />
  );
}

/** Only if it is outside the middle: a page that always moves makes people seasick. */
function useScrollTo(
  scroller: HTMLElement | null,
  focused: Region | undefined,
  scale: number,
): void {
  const top = focused === undefined ? null : focused.box.y * scale;
  const left = focused === undefined ? 0 : focused.box.x * scale;
  const right = focused === undefined ? 0 : (focused.box.x + focused.box.width) * scale;
  useEffect(() => {
    if (scroller === null || top === null) return;
    const at = top - scroller.scrollTop;
    const { clientHeight: height, clientWidth: width, scrollLeft } = scroller;
    if (at < height * 0.2 || at > height * 0.8) scroller.scrollTo({ top: top - height / 2 });
    // A region that is wider than the window begins at its left edge.
    if (left < scrollLeft || right + EDGE_PX > scrollLeft + width)
      scroller.scrollTo({ left: Math.min(left - EDGE_PX, (left + right - width) / 2 + EDGE_PX) });
  }, [scroller, top, left, right]);
}
