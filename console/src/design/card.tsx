import type { ReactNode } from "react";

export function Card({
  title,
  count,
  action,
  children,
  className = "",
}: {
  title?: string;
  count?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section
      {...(title ? { "aria-label": title } : {})}
      className={`min-w-0 overflow-hidden rounded-card border border-border bg-surface shadow-card ${className}`}
    >
      {title && (
        <header className="flex h-10 items-center gap-2 border-b border-border px-4">
          <h2 className="text-body font-semibold">{title}</h2>
          {count !== undefined && <span className="text-body text-text-3">{count}</span>}
          <span className="flex-1" />
          {action}
        </header>
      )}
      {children}
    </section>
  );
}

/** Labels and values; a value wraps, a label does not. */
export function KeyValues({
  rows,
}: {
  rows: readonly (readonly [label: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-4 gap-y-2 p-4">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-text-2">{label}</dt>
          <dd className="min-w-0 break-words">{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The figures under a verdict. */
export function Figures({
  items,
}: {
  items: readonly { label: string; value: ReactNode; unit?: string; note?: ReactNode }[];
}) {
  return (
    <div className="grid grid-cols-2 overflow-hidden rounded-card border border-border bg-surface shadow-card md:grid-cols-[repeat(auto-fit,minmax(150px,1fr))]">
      {items.map((item) => (
        <div
          key={item.label}
          className="-mb-px -mr-px border-border border-b border-r p-4 last:odd:col-span-2 md:last:odd:col-span-1"
        >
          <div className="text-label font-medium text-text-2">{item.label}</div>
          <div className="tabular flex items-center gap-1.5 text-figure font-semibold">
            {item.value}
            {item.unit && <span className="text-prose font-normal text-text-2">{item.unit}</span>}
          </div>
          <div className="text-label text-text-3">{item.note ?? "\u00a0"}</div>
        </div>
      ))}
    </div>
  );
}
