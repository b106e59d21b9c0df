/** The top bar of a page and the content below it. */
import { type ReactNode, useEffect } from "react";
import { Icon } from "../design/icon.tsx";

export function PageFrame({
  title,
  crumbs = [],
  note,
  actions,
  children,
  fill = false,
  count,
}: {
  title: string;
  crumbs?: readonly ReactNode[];
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The content fills the window and scrolls inside, as a table does. */
  fill?: boolean;
  /** Shown in the title of the browser tab. */
  count?: number;
}) {
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ""}${title} · Postroom`;
  }, [title, count]);
  return (
    <>
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-border px-4 md:px-6">
        {crumbs.map((crumb, index) => (
          <span key={index} className="hidden items-center gap-3 text-text-2 md:flex">
            {crumb}
            <Icon name="chevron" size={12} />
          </span>
        ))}
        <h1 title={title} className="truncate text-title font-semibold">
          {title}
        </h1>
        {note && <span className="hidden truncate text-text-2 sm:block">{note}</span>}
        <span className="flex-1" />
        {actions}
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={`min-h-0 flex-1 outline-none ${fill ? "flex flex-col overflow-hidden" : "overflow-y-auto"}`}
      >
        {fill ? children : <div className="mx-auto max-w-[1360px] p-4 md:p-6">{children}</div>}
      </main>
    </>
  );
}
