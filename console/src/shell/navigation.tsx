import { Link, useRouterState } from "@tanstack/react-router";
import { Key } from "../design/button.tsx";
import { formatCount } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { Initials } from "../design/initials.tsx";
import type { Role } from "../session/roles.ts";
import type { Page } from "./pages.ts";

export interface NavigationProps {
  readonly pages: readonly Page[];
  readonly role: Role | null;
  readonly person: string;
  /** Only where a person is needed. */
  readonly counts: Readonly<Record<string, number>>;
  /** Shows icons only, because the page, such as Review, needs the width. */
  readonly isRail: boolean;
  readonly onPalette: () => void;
  readonly onPerson: () => void;
}

const GROUPS = ["", "Books", "Operations"] as const;
const ON_PHONE = ["/", "/review", "/events", "/trades"];

export function Navigation(props: NavigationProps) {
  return props.isRail ? <Rail {...props} /> : <Sidebar {...props} />;
}

function Sidebar({ pages, counts, person, role, onPalette, onPerson }: NavigationProps) {
  return (
    <nav
      aria-label="Pages"
      className="hidden w-56 shrink-0 flex-col border-r border-border p-2 md:flex"
    >
      <Brand />
      <button
        type="button"
        onClick={onPalette}
        className="mb-2 flex h-8 items-center gap-2 rounded-control border border-control bg-surface px-2 text-text-2"
      >
        <Icon name="search" size={14} />
        <span className="flex-1 text-left">Search or jump to</span>
        <Key>Ctrl K</Key>
      </button>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {GROUPS.filter((group) => pages.some((page) => page.group === group)).map((group) => (
          <div key={group} role="group" aria-label={group || "Daily work"} className="mb-3">
            {group && <div className="px-2 pb-1 text-tiny font-medium text-text-3">{group}</div>}
            {pages
              .filter((page) => page.group === group)
              .map((page) => (
                <PageLink key={page.path} page={page} count={counts[page.path]} />
              ))}
          </div>
        ))}
      </div>
      <PersonButton person={person} role={role} onPerson={onPerson} />
    </nav>
  );
}

function PageLink({ page, count }: { page: Page; count: number | undefined }) {
  return (
    <Link
      to={page.path as "/"}
      activeOptions={{ exact: page.path === "/" }}
      className="flex h-8 items-center gap-2 rounded-control px-2 font-medium text-text-2 hover:bg-sunken data-[status=active]:bg-sunken data-[status=active]:text-text"
    >
      <Icon name={page.icon} />
      <span className="flex-1">{page.title}</span>
      {count !== undefined && count > 0 && (
        <span className="tabular text-label font-medium text-attention">{formatCount(count)}</span>
      )}
    </Link>
  );
}

function Rail({ pages, person, onPerson }: NavigationProps) {
  return (
    <nav
      aria-label="Pages"
      className="hidden w-14 shrink-0 flex-col items-center gap-1 border-r border-border py-2 md:flex"
    >
      <span className="grid size-10 place-items-center text-accent">
        <Icon name="dead-letters" size={20} />
      </span>
      {pages.map((page) => (
        <Link
          key={page.path}
          to={page.path as "/"}
          title={page.title}
          aria-label={page.title}
          activeOptions={{ exact: page.path === "/" }}
          className="grid size-9 place-items-center rounded-control text-text-2 hover:bg-sunken data-[status=active]:bg-sunken data-[status=active]:text-text"
        >
          <Icon name={page.icon} />
        </Link>
      ))}
      <span className="flex-1" />
      <button type="button" aria-label={`${person}: account`} onClick={onPerson}>
        <Initials person={person} />
      </button>
    </nav>
  );
}

/** On a phone: four pages and the rest behind More. */
export function BottomBar({
  pages,
  counts,
  onMore,
}: {
  pages: readonly Page[];
  counts: Readonly<Record<string, number>>;
  onMore: () => void;
}) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isBehindMore = !ON_PHONE.some((each) =>
    each === "/" ? path === each : path.startsWith(each),
  );
  return (
    <nav
      aria-label="Pages"
      className="flex h-14 shrink-0 border-t border-border bg-surface md:hidden"
    >
      {pages
        .filter((page) => ON_PHONE.includes(page.path))
        .map((page) => (
          <Link
            key={page.path}
            to={page.path as "/"}
            activeOptions={{ exact: page.path === "/" }}
            className="flex flex-1 flex-col items-center justify-center gap-0.5 text-tiny text-text-2 data-[status=active]:text-accent"
          >
            <span className="relative">
              <Icon name={page.icon} size={20} />
              {(counts[page.path] ?? 0) > 0 && (
                <span className="absolute -top-1 left-[18px] text-tiny font-medium text-attention">
                  {formatCount(counts[page.path] ?? 0)}
                </span>
              )}
            </span>
            {page.title}
          </Link>
        ))}
      <button
        type="button"
        onClick={onMore}
        className={`flex flex-1 flex-col items-center justify-center gap-0.5 text-tiny ${isBehindMore ? "text-accent" : "text-text-2"}`}
      >
        <Icon name="more" size={20} />
        More
      </button>
    </nav>
  );
}

function Brand() {
  return (
    <div className="flex h-10 items-center gap-2 px-2">
      <Icon name="dead-letters" size={20} className="text-accent" />
      <span className="text-title font-semibold">Postroom</span>
    </div>
  );
}

function PersonButton({
  person,
  role,
  onPerson,
}: {
  person: string;
  role: Role | null;
  onPerson: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onPerson}
      className="flex h-10 items-center gap-2 rounded-control px-2 text-left hover:bg-sunken"
    >
      <Initials person={person} />
      <span className="min-w-0 flex-1 truncate">{person}</span>
      <span className="text-label capitalize text-text-2">{role ?? ""}</span>
    </button>
  );
}
