/**
 * The list that all pages use. The first cell of a row is a native button, so that a keyboard and a screen reader find a
 * control they know; j/k and arrows move, Enter opens. Long lists draw only what is seen. On a phone a row has two
 * lines.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { useIsPhone } from "./use-is-phone.ts";

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Pixels; the one column without a width takes what is left. */
  readonly width?: number;
  readonly align?: "right";
  /** The narrowest list, in pixels, that still shows this column. */
  readonly from?: 560 | 720 | 880 | 1040 | 1200;
}

const HIDE = {
  560: "hidden @min-[560px]:flex",
  720: "hidden @min-[720px]:flex",
  880: "hidden @min-[880px]:flex",
  1040: "hidden @min-[1040px]:flex",
  1200: "hidden @min-[1200px]:flex",
} as const;
const ROW_PX = 36;
const PHONE_ROW_PX = 56;
const VIRTUAL_FROM = 100;

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  selected?: string | undefined;
  onOpen?: (row: Row) => void;
  /** True for the list of a page, which fills it and scrolls; a list inside a card grows with its rows. */
  fill?: boolean;
  /** Two lines for a phone. */
  phone: (row: Row) => {
    readonly first: ReactNode;
    readonly second: ReactNode;
    readonly aside?: ReactNode;
  };
  /** Called when the end of the list is near. */
  onEnd?: () => void;
  foot?: ReactNode;
}

export function Table<Row>(props: TableProps<Row>) {
  const { rows, columns, fill = false, onEnd } = props;
  const isPhone = useIsPhone();
  const scroller = useRef<HTMLDivElement>(null);
  const isVirtual = fill && rows.length > VIRTUAL_FROM;
  const virtual = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have another height on a phone
  useEffect(() => virtual.measure(), [isPhone, virtual]);
  const onScroll = (event: React.UIEvent<HTMLDivElement>) => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
    if (scrollHeight - scrollTop - clientHeight < 800) onEnd?.();
  };
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      onKeyDown={(event) => moveFocus(event, scroller.current)}
      onScroll={onScroll}
      className={`@container min-w-0 ${fill ? "min-h-0 flex-1 overflow-y-auto" : ""}`}
    >
      <div role="rowgroup" className={isPhone ? "sr-only" : "sticky top-0 z-10"}>
        <div
          role="row"
          className={`flex h-8 items-center gap-4 border-border border-b bg-surface text-label font-medium text-text-2 ${gutter(fill)}`}
        >
          {columns.map((column, place) => (
            <div
              key={column.key}
              role="columnheader"
              {...(isPhone ? {} : cellLook(column, columns[place - 1]))}
            >
              {column.head}
            </div>
          ))}
        </div>
      </div>
      {isVirtual ? (
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <TableRow
              key={props.rowKey(rows[item.index]!)}
              {...props}
              row={rows[item.index]!}
              index={item.index}
              isPhone={isPhone}
              top={item.start}
            />
          ))}
        </div>
      ) : (
        <div role="rowgroup">
          {rows.map((row, index) => (
            <TableRow
              key={props.rowKey(row)}
              {...props}
              row={row}
              index={index}
              isPhone={isPhone}
              top={null}
            />
          ))}
        </div>
      )}
      {props.foot}
    </div>
  );
}

function TableRow<Row>(
  props: TableProps<Row> & { row: Row; index: number; isPhone: boolean; top: number | null },
) {
  const { row, index, rowKey, selected, onOpen, isPhone, top, fill = false } = props;
  const isSelected = selected !== undefined && rowKey(row) === selected;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected || undefined}
      className={`${top === null ? "relative" : "absolute inset-x-0"} flex items-center gap-4 border-border border-b ${gutter(fill)} ${fill ? "" : "last:border-b-0"} ${isPhone ? "h-14" : "h-9"} ${onOpen ? "cursor-pointer" : ""} ${isSelected ? "bg-accent-tint before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent" : "hover:bg-canvas"}`}
      style={top === null ? undefined : { transform: `translateY(${top}px)` }}
      onClick={() => onOpen?.(row)}
    >
      {isPhone ? <PhoneCells {...props} /> : <DeskCells {...props} />}
    </div>
  );
}

function DeskCells<Row>({ row, columns, onOpen, rowLabel }: TableProps<Row> & { row: Row }) {
  return columns.map((column, place) => (
    <div key={column.key} role="cell" {...cellLook(column, columns[place - 1])}>
      {place === 0 && onOpen ? (
        // The click bubbles to the row, which opens it.
        <button
          type="button"
          data-row
          aria-label={rowLabel(row)}
          className="max-w-full truncate text-left"
        >
          {column.cell(row)}
        </button>
      ) : (
        <span className="min-w-0 truncate">{column.cell(row)}</span>
      )}
    </div>
  ));
}

function PhoneCells<Row>({ row, onOpen, rowLabel, phone }: TableProps<Row> & { row: Row }) {
  const { first, second, aside } = phone(row);
  const text = (
    <>
      <span className="block truncate font-medium">{first}</span>
      <span className="block truncate text-label text-text-2">{second}</span>
    </>
  );
  return (
    <>
      <div role="cell" className="min-w-0 flex-1">
        {onOpen ? (
          <button
            type="button"
            data-row
            aria-label={rowLabel(row)}
            className="block w-full text-left"
          >
            {text}
          </button>
        ) : (
          text
        )}
      </div>
      {aside !== undefined && (
        <div role="cell" className="shrink-0 text-label text-text-2">
          {aside}
        </div>
      )}
    </>
  );
}

/** The text of a list that fills the page lines up with the page's title. */
const gutter = (fill: boolean): string => (fill ? "px-4 md:px-6" : "px-4");

function cellLook<Row>(
  column: Column<Row>,
  before: Column<Row> | undefined,
): { className: string; style: React.CSSProperties } {
  const shown = column.from === undefined ? "flex" : HIDE[column.from];
  // Figures end where the next text begins: without more room the two read as one.
  const apart = before?.align === "right" ? "ml-3" : "";
  const side = column.align === "right" ? "justify-end tabular text-right" : apart;
  return {
    className: `${shown} min-w-0 items-center ${side}`,
    style:
      column.width === undefined
        ? { flex: "1 1 0", minWidth: 0 }
        : { flex: `0 0 ${column.width}px` },
  };
}

function moveFocus(event: React.KeyboardEvent, scroller: HTMLElement | null): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined || scroller === null || event.ctrlKey || event.metaKey) return;
  const rows = [...scroller.querySelectorAll<HTMLElement>("[data-row]")];
  const next = rows[rows.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
