/** What was filed, where, and whether its record exists. Drop files on the page to file them. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type Filing, type FilingFilter, useFilings } from "../data/books.ts";
import { buttonLook, FileButton } from "../design/button.tsx";
import { KeyValues } from "../design/card.tsx";
import { Drawer } from "../design/dialog.tsx";
import type { FilterChoice } from "../design/filter-bar.tsx";
import { formatBytes } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { capital } from "../design/reason.ts";
import type { Column } from "../design/table.tsx";
import { Ago, Breakable, IdChip } from "../design/values.tsx";
import { ListPage } from "../shell/list-page.tsx";
import { opensDrawer, type Search } from "../shell/search.ts";
import { SOURCES } from "./documents/details.tsx";
import { FILING_STATES, FilingState } from "./documents/filing-state.tsx";
import { UploadList, useUploads } from "./documents/uploads.tsx";

export function Documents() {
  const { document: openId, text = "", ...filter } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { data, error, refetch } = useFilings(filter as FilingFilter);
  const { uploads, add, cancel } = useUploads();
  const open = data?.find(({ id }) => id === openId);
  const set = (changes: Search) =>
    void navigate({
      to: "/documents",
      search: { ...filter, text, document: openId, ...changes },
      replace: !opensDrawer(openId, changes["document"]),
    });
  const isFiltered = text !== "" || Object.values(filter).some(Boolean);
  return (
    <section
      aria-label="Drop files to file them"
      className="flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add([...event.dataTransfer.files]);
      }}
    >
      <ListPage
        title="Documents"
        icon="documents"
        rows={data?.filter(has(text))}
        error={error}
        onRetry={() => void refetch()}
        columns={open ? COLUMNS.filter(({ key }) => key !== "path") : COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ name, state }) => `${name}, ${FILING_STATES[state].word}`}
        phone={(filing) => ({
          first: filing.name,
          second: filing.path,
          aside: <FilingState filing={filing} />,
        })}
        selected={openId}
        onOpen={({ id }) => set({ document: id })}
        search={{ label: "Name or place", text, onText: (next) => set({ text: next }) }}
        filters={filtersOf(filter)}
        onFilter={(key, value) => set({ [key]: value })}
        empty={
          isFiltered
            ? {
                title: "No documents match.",
                text: "Remove a filter, or search for words in the documents.",
              }
            : { title: "No documents are filed yet.", text: "Drop a file here to file it." }
        }
        actions={
          <>
            <Link to="/search" className={buttonLook("quiet", "small")}>
              <Icon name="search" />
              Search
            </Link>
            <FileButton size="small" multiple onFiles={add}>
              File a document
            </FileButton>
          </>
        }
        head={uploads.length > 0 && <UploadList uploads={uploads} onCancel={cancel} />}
        drawer={open && <FilingDrawer filing={open} onClose={() => set({ document: undefined })} />}
      />
    </section>
  );
}

const filtersOf = ({ state, review }: FilingFilter): FilterChoice[] => [
  {
    key: "state",
    label: "State",
    value: state,
    options: Object.entries(FILING_STATES).map(([key, { word }]) => [key, word]),
  },
  { key: "review", label: "Review", value: review, options: [["true", "needs a look"]] },
];

const has = (text: string) => {
  const wanted = text.trim().toLowerCase();
  return ({ name, path }: Filing): boolean =>
    wanted === "" || `${name} ${path}`.toLowerCase().includes(wanted);
};

function FilingDrawer({ filing, onClose }: { filing: Filing; onClose: () => void }) {
  return (
    <Drawer
      title={filing.name}
      onClose={onClose}
      actions={
        <Link
          to="/documents/$id"
          params={{ id: filing.id }}
          className={buttonLook("plain", "small")}
        >
          Open
        </Link>
      }
    >
      <KeyValues
        rows={[
          ["State", <FilingState filing={filing} />],
          ...(filing.reason === null ? [] : [["Why", filing.reason] as const]),
          ["Place", <Breakable key="place" text={filing.path} />],
          ["Belongs to", filing.parent],
          ["Record", filing.hasRecord ? "Written" : "None yet"],
          ["Size", formatBytes(filing.size)],
          ["Type", filing.mimeType],
          ["Arrived", capital(SOURCES[filing.source] ?? filing.source)],
          ["Filed", <Ago at={filing.createdAt} />],
          ["Document", <IdChip id={filing.id} label="document id" />],
          [
            "SHA-256",
            filing.sha256 === null ? null : <IdChip id={filing.sha256} label="SHA-256" />,
          ],
        ]}
      />
    </Drawer>
  );
}

const COLUMNS: readonly Column<Filing>[] = [
  { key: "name", head: "Name", cell: ({ name }) => name },
  { key: "path", head: "Place", width: 320, from: 1040, cell: ({ path }) => path },
  {
    key: "size",
    head: "Size",
    width: 72,
    align: "right",
    from: 560,
    cell: (row) => formatBytes(row.size),
  },
  { key: "state", head: "State", width: 184, cell: (filing) => <FilingState filing={filing} /> },
  {
    key: "at",
    head: "Filed",
    width: 96,
    align: "right",
    from: 720,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];
