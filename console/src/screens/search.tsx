/** Search filed documents, or ask them a question. Only what the person may read is found. */
import { Link, useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { QUESTION_MIN, SEARCH_FILTERS, type SearchFilter } from "../data/search.ts";
import { Button } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import type { Search } from "../shell/search.ts";
import { AskResult } from "./search/answer.tsx";
import { SearchResultList } from "./search/results.tsx";
import { SearchFilters } from "./search/search-filters.tsx";

export function SearchPage() {
  const search = useSearch({ strict: false }) as Search;
  const isAsk = useRouterState({ select: ({ location }) => location.pathname === "/ask" });
  const navigate = useNavigate();
  const filter = filterOf(search);
  const text = (isAsk ? search["question"] : search["q"]) ?? "";
  const go = (next: string, changes: Search = {}, asks = isAsk) => {
    const kept = { ...filter, ...changes };
    void navigate(
      asks
        ? { to: "/ask", search: { question: next, ...kept } }
        : { to: "/search", search: { q: next, ...kept } },
    );
  };
  return (
    <PageFrame title={isAsk ? "Ask" : "Search"} note="Only documents that you may read" fill>
      <QueryBox text={text} isAsk={isAsk} onGo={(next, asks) => go(next, {}, asks)} />
      <SearchFilters filter={filter} onChange={(changes) => go(text, changes)} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {isAsk ? (
          <AskResult question={text.trim()} filter={filter} />
        ) : (
          <SearchResultList
            query={text.trim()}
            filter={filter}
            onFilter={(changes) => go(text, changes)}
          />
        )}
      </div>
    </PageFrame>
  );
}

function filterOf(search: Search): SearchFilter {
  return Object.fromEntries(
    SEARCH_FILTERS.flatMap((name) => (search[name] ? [[name, search[name]]] : [])),
  );
}

/** Enter does what the page is for; Ctrl Enter asks. */
function QueryBox({
  text,
  isAsk,
  onGo,
}: {
  text: string;
  isAsk: boolean;
  onGo: (text: string, asks: boolean) => void;
}) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const query = typed.trim();
  const label = isAsk ? "Your question" : "Words to find";
  const send = (asks: boolean) => {
    if (query.length >= (asks ? QUESTION_MIN : 1)) onGo(query, asks);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(isAsk);
      }}
      className="flex shrink-0 items-center gap-2 px-4 pt-3 md:px-6"
    >
      <div className="relative min-w-0 flex-1">
        <Icon name="search" className="absolute left-3 top-2.5 text-text-3" />
        <input
          type="search"
          data-shortcut="/"
          aria-label={label}
          placeholder={isAsk ? "When can the lease be terminated?" : "Words, or a part of a name"}
          maxLength={1_000}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              send(true);
            }
            if (event.key === "ArrowDown") {
              event.preventDefault();
              document.querySelector<HTMLElement>("#content [data-row]")?.focus();
            }
          }}
          className="h-9 w-full rounded-control border border-control bg-surface pl-9 pr-2 text-prose"
        />
      </div>
      <Button type="submit" kind="primary" className="h-9" disabled={query === ""}>
        {isAsk ? "Ask" : "Search"}
      </Button>
      {isAsk ? (
        <Link
          to="/search"
          search={query === "" ? {} : { q: query }}
          className="inline-flex h-9 items-center rounded-control px-3 font-medium text-text-2 hover:bg-sunken"
        >
          <span>
            Search<span className="max-md:hidden"> instead</span>
          </span>
        </Link>
      ) : (
        <Button className="h-9" shortcut="Ctrl Enter" onClick={() => send(true)}>
          Ask
        </Button>
      )}
    </form>
  );
}
