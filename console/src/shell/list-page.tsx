/** The layout of every list: top bar, filters, rows, and what was opened beside them. */
import type { ReactNode } from "react";
import { Empty, Loading } from "../design/feedback.tsx";
import { FilterBar, type FilterChoice } from "../design/filter-bar.tsx";
import { formatCount } from "../design/format.ts";
import type { IconName } from "../design/icon.tsx";
import { type Column, Table } from "../design/table.tsx";
import { Failure } from "./failure.tsx";
import { PageFrame } from "./page-frame.tsx";

export interface ListPageProps<Row> {
  readonly title: string;
  readonly icon: IconName;
  readonly rows: readonly Row[] | undefined;
  /** The most rows that are loaded; there may be more than these. */
  readonly rowsMax?: number;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly rowLabel: (row: Row) => string;
  readonly phone: (row: Row) => { first: ReactNode; second: ReactNode; aside?: ReactNode };
  readonly empty: { readonly title: string; readonly text: ReactNode };
  readonly selected?: string | undefined;
  readonly onOpen?: (row: Row) => void;
  readonly actions?: ReactNode;
  /** A box that narrows the rows by text. */
  readonly search?: {
    readonly label: string;
    readonly text: string;
    readonly onText: (text: string) => void;
  };
  readonly filters?: readonly FilterChoice[];
  readonly onFilter?: (key: string, value: string | undefined) => void;
  /** Above the rows. */
  readonly head?: ReactNode;
  /** Beside the rows. */
  readonly drawer?: ReactNode;
}

export function ListPage<Row>(props: ListPageProps<Row>) {
  const { rows, filters, onFilter, drawer, search } = props;
  return (
    <PageFrame
      title={props.title}
      note={rows && countWords(rows.length, props.rowsMax)}
      fill
      actions={props.actions}
    >
      {filters && onFilter && (
        <FilterBar
          filters={filters}
          onFilter={onFilter}
          {...(search && { searchLabel: search.label, text: search.text, onText: search.onText })}
        />
      )}
      {props.head}
      <div className="flex min-h-0 flex-1">
        <div className="page-gutter flex min-w-0 flex-1 flex-col bg-surface">
          <Rows {...props} />
        </div>
        {drawer}
      </div>
    </PageFrame>
  );
}

const countWords = (count: number, most: number | undefined): string =>
  count === most ? `the first ${formatCount(count)}` : formatCount(count);

function Rows<Row>(props: ListPageProps<Row>) {
  const { rows, error, empty } = props;
  if (rows === undefined)
    return error ? (
      <Failure error={error} onRetry={props.onRetry} />
    ) : (
      <Loading what={props.title.toLowerCase()} rows={14} />
    );
  if (rows.length === 0)
    return (
      <Empty icon={props.icon} title={empty.title}>
        {empty.text}
      </Empty>
    );
  return (
    <>
      {error !== null && error !== undefined && <Failure error={error} onRetry={props.onRetry} />}
      <Table
        label={props.title}
        fill
        rows={rows}
        columns={props.columns}
        rowKey={props.rowKey}
        rowLabel={props.rowLabel}
        phone={props.phone}
        selected={props.selected}
        {...(props.onOpen ? { onOpen: props.onOpen } : {})}
      />
    </>
  );
}
