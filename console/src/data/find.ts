/** What the command palette finds besides pages: mailboxes, documents, trades, questions and mail that the person may see. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { IconName } from "../design/icon.tsx";
import { ask } from "./api.ts";
import { useMailboxes } from "./mailboxes.ts";

export interface Found {
  readonly icon: IconName;
  readonly text: string;
  readonly detail?: string | null;
  readonly hint: string;
  readonly to: string;
}

interface Suggestion {
  readonly type: "document" | "parent";
  readonly id: string;
  readonly text: string;
}

interface FoundRecord {
  readonly type: "mail" | "note" | "trade" | "review";
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
}

/** The server is asked when typing pauses. */
const PAUSE_MS = 200;
const LENGTH_MIN = 3;
const EACH_MAX = 8;

export function useFound(text: string): readonly Found[] {
  const { data: mailboxes } = useMailboxes();
  const wanted = text.trim().toLowerCase();
  const asked = useSettled(wanted);
  const isAsked = asked.length >= LENGTH_MIN && asked === wanted;
  const query = { q: asked, limit: EACH_MAX };
  // A server without documents has no such routes; then the palette finds the rest.
  const options = { enabled: isAsked, retry: false, staleTime: 30_000 } as const;
  const { data: names } = useQuery({
    ...options,
    queryKey: ["suggestions", asked],
    queryFn: ({ signal }) =>
      ask<{ suggestions: Suggestion[] }>("/api/search/suggestions", query, signal),
  });
  const { data: records } = useQuery({
    ...options,
    queryKey: ["records", asked],
    queryFn: ({ signal }) => ask<{ records: FoundRecord[] }>("/api/search/records", query, signal),
  });
  return useMemo(() => {
    if (wanted === "") return [];
    const addresses = (mailboxes ?? []).filter(({ address }) => address.includes(wanted));
    return [
      ...addresses.slice(0, EACH_MAX).map(({ address }) => toMailbox(address)),
      ...(isAsked ? (names?.suggestions ?? []).flatMap(toDocument) : []),
      ...(isAsked ? (records?.records ?? []).map(toRecord) : []),
    ];
  }, [mailboxes, names, records, wanted, isAsked]);
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const toMailbox = (address: string): Found => ({
  icon: "mailboxes",
  text: address,
  hint: "mailbox",
  to: `/mailboxes/${encodeURIComponent(address)}`,
});

/** Rows that documents belong to have no page here. */
const toDocument = ({ type, id, text }: Suggestion): Found[] =>
  type === "document"
    ? [{ icon: "documents", text, hint: "document", to: `/documents/${encodeURIComponent(id)}` }]
    : [];

const PAGES = {
  mail: { icon: "mail", path: "/trace/", hint: "trace of a message" },
  note: { icon: "note", path: "/trace/", hint: "trace of a note" },
  trade: { icon: "trades", path: "/trades/", hint: "trade" },
  review: { icon: "review", path: "/review/", hint: "question" },
} as const satisfies Record<FoundRecord["type"], { icon: IconName; path: string; hint: string }>;

function toRecord({ type, id, title, detail }: FoundRecord): Found {
  const { icon, path, hint } = PAGES[type];
  return { icon, hint, text: title, detail, to: `${path}${encodeURIComponent(id)}` };
}
