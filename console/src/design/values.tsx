/** Single values: times, ids, confidences. */
import { Fragment, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { formatConfidence, formatExact, formatRelative } from "./format.ts";
import { Icon } from "./icon.tsx";

// One timer for all relative times on the page.
const listeners = new Set<() => void>();
let now = Date.now();
setInterval(() => {
  if (document.hidden || listeners.size === 0) return;
  now = Date.now();
  for (const listener of listeners) listener();
}, 1000);

export function useNow(): Date {
  const at = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
  return new Date(at);
}

export function Ago({ at }: { at: string | null | undefined }) {
  const current = useNow();
  if (!at) return <>–</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatExact(date)} className="tabular whitespace-nowrap">
      {formatRelative(date, current)}
    </time>
  );
}

/** An id, shortened for the eye and copied whole. */
export function IdChip({ id, label = "id" }: { id: string; label?: string }) {
  const short = id.length > 18 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
  return (
    <Copied text={id} label={`${label} ${id}`}>
      <span className="truncate">{short}</span>
    </Copied>
  );
}

function Copied({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      title={text}
      aria-label={isCopied ? "Copied" : `Copy ${label}`}
      onClick={(event) => {
        event.stopPropagation();
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
      className="inline-flex max-w-full items-center gap-1.5 rounded-key font-mono text-label hover:bg-sunken"
    >
      {isCopied ? <span>Copied</span> : children}
      <Icon name="copy" size={14} className="shrink-0 text-text-3" />
    </button>
  );
}

/** The last part of a path, which is copied whole: what is before it is long and says little. */
export function PathChip({ path }: { path: string }) {
  return (
    <Copied text={path} label={`path ${path}`}>
      <span className="min-w-0 break-words text-left font-sans text-body">
        <Breakable text={nameIn(path)} />
      </span>
    </Copied>
  );
}

export const nameIn = (path: string): string => path.split("/").at(-1) ?? path;

/** A file name, a path, an address or a key, which breaks between its parts where it must break. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[/_=@-])/);
  return (
    <span className="break-words">
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

/** Grey from 80 %; below that amber with a meter; below 50 % also a word. */
export function Confidence({ value }: { value: number | null | undefined }) {
  if (value === null || value === undefined) return <span className="text-text-3">–</span>;
  if (value >= 0.8)
    return <span className="tabular text-label text-text-3">{formatConfidence(value)}</span>;
  return (
    <span className="tabular inline-flex items-center gap-1.5 text-label text-attention">
      {value < 0.5 && "doubtful "}
      <span aria-hidden className="inline-block h-1 w-5 overflow-hidden rounded-key bg-border">
        <span className="block h-full bg-attention" style={{ width: `${value * 100}%` }} />
      </span>
      {formatConfidence(value)}
    </span>
  );
}
