/** One document: its pages with the cited words highlighted, where it is filed, and what describes it. */
import { Link, useParams, useRouterState, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import {
  type DocumentView,
  useContent,
  useDocument,
  useOfficeLinks,
} from "../../data/documents.ts";
import { buttonLook } from "../../design/button.tsx";
import { Card, KeyValues } from "../../design/card.tsx";
import { Empty, Loading, Strip } from "../../design/feedback.tsx";
import { formatBytes } from "../../design/format.ts";
import { capital } from "../../design/reason.ts";
import { Ago, Breakable, IdChip } from "../../design/values.tsx";
import { PageView, type Region } from "../../pdf/page-view.tsx";
import { findOnPage } from "../../pdf/pdf-client.ts";
import { Failure } from "../../shell/failure.tsx";
import { fromFragment } from "../../shell/lit.ts";
import { PageFrame } from "../../shell/page-frame.tsx";
import type { Search } from "../../shell/search.ts";
import { Details, SOURCES } from "./details.tsx";
import { FilingState } from "./filing-state.tsx";

export function DocumentPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useDocument(id);
  const name = data === undefined ? "Document" : nameOf(data);
  return (
    <PageFrame
      title={name}
      crumbs={[
        <Link key="documents" to="/documents">
          Documents
        </Link>,
      ]}
      fill
      actions={data && data.record !== null && <OpenInOffice id={id} />}
    >
      {data ? (
        <DocumentPanes id={id} name={name} view={data} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the document" rows={12} />
      )}
    </PageFrame>
  );
}

const nameOf = ({ document, record }: DocumentView): string =>
  record?.sprk_filename ?? document?.name ?? "Document";

/** Shows a link only for a web address: the address comes from another server and could be a script. */
function OpenInOffice({ id }: { id: string }) {
  const { data } = useOfficeLinks(id);
  if (data === undefined || !/^https?:\/\//.test(data.officeUrl)) return null;
  return (
    <a
      href={data.officeUrl}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonLook("plain", "small")}
    >
      Open in Office
    </a>
  );
}

function DocumentPanes({ id, name, view }: { id: string; name: string; view: DocumentView }) {
  const isPdf = /\.pdf$/i.test(name) || view.record?.sprk_mimetype === "application/pdf";
  const phrases = fromFragment(useRouterState({ select: ({ location }) => location.hash }));
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto md:flex-row md:overflow-hidden">
      <div
        className={`flex min-w-0 flex-col md:min-h-0 md:flex-1 ${isPdf && view.record !== null ? "min-h-[60vh] flex-1" : ""}`}
      >
        {view.record === null ? (
          <Empty icon="documents" title="This file has no record yet.">
            Its pages are shown once Dataverse can say who may read them.
          </Empty>
        ) : isPdf ? (
          <Pages id={id} name={name} phrases={phrases} />
        ) : (
          <NoPages phrases={phrases} />
        )}
      </div>
      <div className="shrink-0 border-border bg-canvas p-4 md:w-[360px] md:overflow-y-auto md:border-l">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Facts id={id} view={view} />
          <Details id={id} hasRecord={view.record !== null} />
        </div>
      </div>
    </div>
  );
}

function Pages({ id, name, phrases }: { id: string; name: string; phrases: readonly string[] }) {
  const page = Math.max(1, Number((useSearch({ strict: false }) as Search)["page"]) || 1);
  const content = useContent(id);
  const { regions, isMissed, onOpened } = useHighlights(id, page, phrases);
  return (
    <>
      {phrases.length > 0 && regions.length > 0 && (
        <p role="status" className="sr-only">
          The words are highlighted on page {page}.
        </p>
      )}
      {isMissed && (
        <Strip tone="info">
          These words are not drawn as text on page {page}: “{phrases.join(" ")}”
        </Strip>
      )}
      <PageView
        documentId={id}
        filename={name}
        content={content}
        regions={regions}
        startPage={page}
        onOpened={onOpened}
      />
    </>
  );
}

/** A separator that occurs in no text. */
const BETWEEN = "\u0000";

/** Finds the phrases on the page once the document is open; on a page that does not exist it finds nothing. */
function useHighlights(id: string, page: number, phrases: readonly string[]) {
  const [pages, setPages] = useState(0);
  const [found, setFound] = useState<{ key: string; regions: Region[] } | null>(null);
  const text = phrases.join(BETWEEN);
  const key = `${id} ${page} ${text}`;
  useEffect(() => {
    if (pages === 0 || page > pages || text === "") return;
    let isGone = false;
    const wanted = `${id} ${page} ${text}`;
    const set = (regions: Region[]) => isGone || setFound({ key: wanted, regions });
    findOnPage(id, page, text.split(BETWEEN)).then(
      (boxes) =>
        set(
          boxes.map((box, index) => ({
            key: `words-${index}`,
            page,
            box,
            isFocused: true,
            isGrounded: true,
          })),
        ),
      () => set([]), // the page itself says why it cannot be read
    );
    return () => {
      isGone = true;
    };
  }, [id, page, pages, text]);
  const regions = found?.key === key ? found.regions : [];
  const onOpened = useCallback((count: number) => setPages(count), []);
  return { regions, isMissed: found?.key === key && regions.length === 0, onOpened };
}

/** Only PDFs are drawn here; the cited words are shown for the rest. */
function NoPages({ phrases }: { phrases: readonly string[] }) {
  return (
    <Empty icon="documents" title="Only PDFs are shown here.">
      <p>Open it in Office, or in the drive that it is filed in.</p>
      {phrases.length > 0 && (
        <blockquote className="mt-4 whitespace-pre-wrap break-words rounded-card border border-border bg-surface p-4 text-left text-prose text-text">
          “{phrases.join(" ")}”
        </blockquote>
      )}
    </Empty>
  );
}

function Facts({ id, view: { document, record } }: { id: string; view: DocumentView }) {
  const size = record?.sprk_filesize ?? document?.size ?? null;
  return (
    <Card title="Where it is filed">
      <KeyValues
        rows={[
          ...(document === null
            ? [["State", "Filed by another program"] as const]
            : [["State", <FilingState key="state" filing={document} />] as const]),
          ...(document?.reason ? [["Why", document.reason] as const] : []),
          [
            "Place",
            <Breakable key="place" text={document?.path ?? record?.sprk_filepath ?? "–"} />,
          ],
          ["Belongs to", document?.parent],
          ["Record", record === null ? "None yet" : "Written"],
          ["Size", size === null ? null : formatBytes(size)],
          ["Type", record?.sprk_mimetype ?? document?.mimeType],
          ...(document === null
            ? []
            : ([
                ["Arrived", capital(SOURCES[document.source] ?? document.source)],
                ["Filed", <Ago key="at" at={document.createdAt} />],
              ] as const)),
          ["Document", <IdChip id={id} label="document id" />],
          ...(document?.sha256
            ? [["SHA-256", <IdChip key="sha" id={document.sha256} label="SHA-256" />] as const]
            : []),
        ]}
      />
    </Card>
  );
}
