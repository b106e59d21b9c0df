/** What was found, best first. Arrows move from one document to the next, and Enter opens it. */
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { ApiProblem } from "../../data/api.ts";
import {
  type FoundDocument,
  type FoundPassage,
  type SearchFilter,
  type SearchResults,
  useSearchResults,
} from "../../data/search.ts";
import { Button, Key } from "../../design/button.tsx";
import { Empty, Loading, Strip } from "../../design/feedback.tsx";
import { formatCount, plural } from "../../design/format.ts";
import { Ago } from "../../design/values.tsx";
import { Failure } from "../../shell/failure.tsx";
import { toFragment } from "../../shell/lit.ts";
import type { Search } from "../../shell/search.ts";
import { KINDS } from "./search-filters.tsx";

const BOX = '[data-shortcut="/"]';

export function SearchResultList({
  query,
  filter,
  onFilter,
}: {
  query: string;
  filter: SearchFilter;
  onFilter: (changes: Search) => void;
}) {
  const found = useSearchResults(query, filter);
  if (query === "") return <Beginning />;
  if (found.error)
    return <SearchFailure error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading what="results" rows={12} />;
  const first = found.data.pages[0]!;
  const results = found.data.pages.flatMap((page) => page.results);
  return (
    <>
      {first.degraded !== null && <Strip tone="attention">{sentence(first.degraded)}</Strip>}
      {results.length > 0 && <MissingWords words={first.missing} />}
      {results.length === 0 ? (
        <NothingFound hasFilter={Object.keys(filter).length > 0} onFilter={onFilter} />
      ) : (
        <div className="mx-auto flex max-w-[1360px] items-start gap-6 p-4 md:p-6">
          <section aria-label="Results" className="min-w-0 flex-1">
            <p role="status" className="mb-3 text-text-2">
              {countOf(first)}
            </p>
            <ol onKeyDown={moveFocus} className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {results.map((document) => (
                <Result key={document.documentId} document={document} />
              ))}
            </ol>
            {found.hasNextPage && (
              <Button
                className="mt-4"
                disabled={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                More results
              </Button>
            )}
          </section>
          <Facets facets={first.facets} filter={filter} onFilter={onFilter} />
        </div>
      )}
    </>
  );
}

const countOf = ({ count }: SearchResults): string =>
  `${count.isMore ? "More than " : ""}${plural(count.documents, "document")}, best first`;

export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

function Beginning() {
  return (
    <Empty icon="search" title="Find a document, or ask what your documents say.">
      <p>
        Type words and press Enter. For an answer with the passages it comes from, press{" "}
        <Key>Ctrl Enter</Key>.
      </p>
      <p className="mt-2">
        Postroom reads PDF, Word, Excel, PowerPoint, mail and text files when they are filed.
      </p>
    </Empty>
  );
}

/** The rest may be about somebody else. */
export function MissingWords({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  const list = words.map((word) => `“${word}”`).join(", ");
  return (
    <Strip tone="info">
      None of these documents contains {list}. Similar words were searched too.
    </Strip>
  );
}

function NothingFound({
  hasFilter,
  onFilter,
}: {
  hasFilter: boolean;
  onFilter: (changes: Search) => void;
}) {
  const none = { kind: undefined, parent: undefined, sender: undefined } as const;
  return (
    <Empty icon="search" title="No document that you may read matches.">
      <p className="mb-3">
        {hasFilter
          ? "Remove a filter, or use fewer words."
          : "Use fewer or other words. A new document can be found a moment after it is filed."}
      </p>
      {hasFilter && (
        <Button
          onClick={() => onFilter({ ...none, mailbox: undefined, from: undefined, to: undefined })}
        >
          Remove all filters
        </Button>
      )}
    </Empty>
  );
}

/** A server without Dataverse has no search, and says so with 404. */
export function SearchFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <Empty
        icon="search"
        title="Filing is not set up on this server, so there is nothing to search."
      >
        Set `Dataverse__ServiceUrl` and the API application, as docs/documents.md explains.
      </Empty>
    );
  return <Failure error={error} onRetry={onRetry} />;
}

function Result({ document }: { document: FoundDocument }) {
  const { documentId, name, kind, parent, sender, date, passages } = document;
  const [best] = passages;
  return (
    <li className="min-w-0 rounded-card border border-border bg-surface p-4 shadow-card focus-within:border-accent">
      <div className="flex min-w-0 items-baseline gap-3">
        <Link
          data-row
          {...placeOf(documentId, best)}
          className="min-w-0 truncate text-prose font-semibold text-accent hover:underline"
        >
          {name}
        </Link>
        <span className="shrink-0 text-label text-text-2">{KINDS[kind ?? ""] ?? kind}</span>
        <span className="flex-1" />
        <span className="hidden shrink-0 text-label text-text-2 sm:inline">
          <Ago at={date} />
        </span>
      </div>
      {(parent?.name || sender) && (
        <p className="mt-0.5 truncate text-label text-text-2">
          {[parent?.name, sender].filter(Boolean).join(" · ")}
        </p>
      )}
      <ul className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {passages
          .filter(({ text }) => text !== "")
          .map((passage) => (
            <Passage key={passage.chunkId} documentId={documentId} kind={kind} passage={passage} />
          ))}
      </ul>
    </li>
  );
}

function Passage({
  documentId,
  kind,
  passage,
}: {
  documentId: string;
  kind: string | null;
  passage: FoundPassage;
}) {
  return (
    <li className="min-w-0 gap-3 text-prose sm:flex">
      <Link
        {...placeOf(documentId, passage)}
        className="block w-24 shrink-0 truncate text-label leading-5 text-text-2 hover:underline"
      >
        {placeWords(kind, passage) ?? "Open"}
      </Link>
      <span className="line-clamp-3 min-w-0 break-words">
        <Highlighted text={passage.text} places={passage.highlights} />
      </span>
    </li>
  );
}

/** Only some kinds of files have pages; the others are one long text. */
const PAGES: Readonly<Record<string, string>> = { pdf: "Page", pptx: "Slide", xlsx: "Sheet" };

export function placeWords(
  kind: string | null | undefined,
  { label, page }: Pick<FoundPassage, "label" | "page">,
): string | null {
  const word = PAGES[kind ?? ""];
  return label ?? (word === undefined || page === null ? null : `${word} ${formatCount(page)}`);
}

/** The page with the words of this passage highlighted. */
function placeOf(documentId: string, passage: FoundPassage | undefined) {
  const words = passage?.highlights.map(([from, to]) => passage.text.slice(from, to)) ?? [];
  return {
    to: "/documents/$id",
    params: { id: documentId },
    search: passage?.page ? { page: String(passage.page) } : {},
    hash: toFragment([...new Set(words.map((word) => word.toLowerCase()))]),
  } as const;
}

export function Highlighted({
  text,
  places,
}: {
  text: string;
  places: readonly (readonly number[])[];
}) {
  let end = 0;
  const parts = places.flatMap(([from = 0, to = 0]) => {
    if (from < end || to <= from) return [];
    const part = { plain: text.slice(end, from), marked: text.slice(from, to), from };
    end = to;
    return [part];
  });
  return (
    <>
      {parts.map(({ plain, marked, from }) => (
        <Fragment key={from}>
          {plain}
          <mark className="rounded-[2px] bg-accent-tint px-px font-medium text-text">{marked}</mark>
        </Fragment>
      ))}
      {text.slice(end)}
    </>
  );
}

function Facets({
  facets,
  filter,
  onFilter,
}: {
  facets: SearchResults["facets"];
  filter: SearchFilter;
  onFilter: (changes: Search) => void;
}) {
  const kinds = Object.entries(facets.kind).sort(([, a], [, b]) => b - a);
  return (
    <aside aria-label="Narrow the results" className="hidden w-60 shrink-0 lg:block">
      <Facet
        title="Kind"
        rows={kinds.map(([kind, count]) => ({ value: kind, text: KINDS[kind] ?? kind, count }))}
        chosen={filter.kind}
        onChoose={(kind) => onFilter({ kind })}
      />
      <Facet
        title="Belongs to"
        rows={facets.parent.slice(0, 12).map(({ type, id, name, documents }) => ({
          value: `${type}:${id}`,
          text: name ?? id,
          count: documents,
        }))}
        chosen={filter.parent}
        onChoose={(parent) => onFilter({ parent })}
      />
    </aside>
  );
}

function Facet({
  title,
  rows,
  chosen,
  onChoose,
}: {
  title: string;
  rows: readonly { readonly value: string; readonly text: string; readonly count: number }[];
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  if (rows.length === 0) return null;
  return (
    <div role="group" aria-label={title} className="mb-4">
      <h2 className="mb-1 px-2 text-label font-medium text-text-2">{title}</h2>
      {rows.map(({ value, text, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value === chosen ? undefined : value)}
          className="flex h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-sunken aria-pressed:bg-accent-tint aria-pressed:font-medium"
        >
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <span className="tabular text-text-2">{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}

/** Up from the first returns to the box. */
export function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row.closest("li")!.contains(document.activeElement));
  event.preventDefault();
  const next = at + step < 0 ? document.querySelector<HTMLElement>(BOX) : rows[at + step];
  next?.focus();
}
