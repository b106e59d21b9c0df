/** Ctrl K: pages, actions, mailboxes, pasted ids, and words to search for or to ask. */

import * as Radix from "@radix-ui/react-dialog";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type Found, useFound } from "../data/find.ts";
import { Scrim } from "../design/dialog.tsx";
import { Icon, type IconName } from "../design/icon.tsx";
import type { Page } from "./pages.ts";

interface Entry {
  readonly key: string;
  readonly icon: IconName;
  readonly text: string;
  readonly detail?: string | null;
  readonly hint: string;
  /** The hint is a key, which a phone does not have. */
  readonly isKey?: boolean;
  /** Where it leads, or what it does. */
  readonly to: string | (() => void);
}

/** Something that the palette does instead of going somewhere. */
export interface PaletteAction {
  readonly icon: IconName;
  readonly text: string;
  readonly run: () => void;
}

export function Palette({
  isOpen,
  onClose,
  pages,
  actions,
}: {
  isOpen: boolean;
  onClose: () => void;
  pages: readonly Page[];
  actions: readonly PaletteAction[];
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const found = useFound(isOpen ? text : "");
  const entries = useMemo(
    () => entriesFor(text, { pages, actions, found }),
    [text, pages, actions, found],
  );
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    setText("");
    onClose();
    if (typeof entry.to === "string") void navigate({ href: entry.to } as never);
    else entry.to();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed left-1/2 top-[12vh] z-50 w-[min(560px,calc(100vw-32px))] -translate-x-1/2 overflow-hidden rounded-card border border-border bg-surface shadow-popover"
        >
          <Radix.Title className="sr-only">Search or jump to</Radix.Title>
          <input
            role="combobox"
            aria-expanded
            aria-controls="palette-list"
            aria-activedescendant={entries[chosen] ? `palette-${chosen}` : undefined}
            aria-label="Search or jump to"
            placeholder="A page, a mailbox, an ID, or words in a document"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
              if (step !== undefined) {
                event.preventDefault();
                setChosen((at) => Math.max(0, Math.min(entries.length - 1, at + step)));
              }
              if (event.key === "Enter") go(entries[chosen]);
            }}
            className="h-12 w-full border-b border-border bg-surface px-4 text-prose outline-none"
          />
          <ul
            id="palette-list"
            role="listbox"
            aria-label="Matches"
            className="max-h-80 overflow-y-auto p-1"
          >
            {entries.map((entry, index) => (
              <li
                key={entry.key}
                id={`palette-${index}`}
                // The list is longer than its window: what the arrows choose must be seen.
                ref={index === chosen ? scrollIntoView : null}
                role="option"
                aria-selected={index === chosen}
                onClick={() => go(entry)}
                onKeyDown={(event) => event.key === "Enter" && go(entry)}
                className={`flex h-9 items-center gap-3 rounded-control px-3 ${index === chosen ? "bg-accent-tint" : ""}`}
              >
                <Icon name={entry.icon} className="text-text-2" />
                <span className="min-w-0 flex-1 truncate">
                  {entry.text}
                  {entry.detail && <span className="text-text-2"> {entry.detail}</span>}
                </span>
                <span
                  className={`shrink-0 text-label text-text-2 ${entry.isKey ? "max-md:hidden" : ""}`}
                >
                  {entry.hint}
                </span>
              </li>
            ))}
          </ul>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const scrollIntoView = (entry: HTMLElement | null): void =>
  entry?.scrollIntoView({ block: "nearest" });

const LOOKS_LIKE_AN_ID = /^[\w=+/.:@<>-]{12,}$/;

function entriesFor(
  text: string,
  {
    pages,
    actions,
    found,
  }: {
    pages: readonly Page[];
    actions: readonly PaletteAction[];
    found: readonly Found[];
  },
): Entry[] {
  const wanted = text.trim().toLowerCase();
  const matching = pages
    .filter((page) => page.title.toLowerCase().includes(wanted))
    .map((page) => ({
      key: page.path,
      icon: page.icon,
      text: page.title,
      // Among other things it is a page; in a list of pages its key says more.
      hint: wanted !== "" ? "page" : page.key ? `g ${page.key}` : "",
      isKey: wanted === "",
      to: page.path,
    }));
  if (wanted === "") return matching;
  const trace = LOOKS_LIKE_AN_ID.test(text.trim())
    ? [
        {
          key: "trace",
          icon: "events" as const,
          text: text.trim(),
          hint: "open its trace",
          to: `/trace/${encodeURIComponent(text.trim())}`,
        },
      ]
    : [];
  const doing = actions
    .filter((action) => action.text.toLowerCase().includes(wanted))
    .map(({ icon, text: what, run }) => ({ key: what, icon, text: what, hint: "action", to: run }));
  return [
    ...trace,
    ...matching,
    ...doing,
    ...found.map((each) => ({ ...each, key: each.to })),
    ...inDocuments(text.trim()),
  ].slice(0, 30);
}

function inDocuments(text: string): Entry[] {
  const to = (path: string, name: string) => `${path}?${new URLSearchParams({ [name]: text })}`;
  return [
    {
      key: "search",
      icon: "search",
      text: `Search documents for “${text}”`,
      hint: "search",
      to: to("/search", "q"),
    },
    { key: "ask", icon: "search", text: `Ask “${text}”`, hint: "ask", to: to("/ask", "question") },
  ];
}
