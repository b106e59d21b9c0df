/** A chip for each filter; the choice is part of the URL. */
import { useMailboxes } from "../../data/mailboxes.ts";
import type { SearchFilter } from "../../data/search.ts";
import { FilterBar } from "../../design/filter-bar.tsx";
import type { Search } from "../../shell/search.ts";

export const KINDS: Readonly<Record<string, string>> = {
  pdf: "PDF",
  docx: "Word",
  xlsx: "Excel",
  pptx: "PowerPoint",
  eml: "Mail",
  msg: "Outlook mail",
  html: "HTML",
  rtf: "RTF",
  csv: "CSV",
  txt: "Text",
};

export function SearchFilters({
  filter,
  onChange,
}: {
  filter: SearchFilter;
  onChange: (changes: Search) => void;
}) {
  const { data: mailboxes = [] } = useMailboxes();
  return (
    <FilterBar
      filters={[
        { key: "kind", label: "Kind", value: filter.kind, options: Object.entries(KINDS) },
        { key: "sender", label: "Sender", value: filter.sender },
        {
          key: "mailbox",
          label: "Mailbox",
          value: filter.mailbox,
          options: mailboxes.map(({ address }) => [address, address.split("@")[0]!]),
        },
        { key: "from", label: "From", value: filter.from, isDay: true },
        { key: "to", label: "Before", value: filter.to, isDay: true },
        ...(filter.parent === undefined
          ? []
          : [{ key: "parent", label: "Belongs to", value: filter.parent }]),
      ]}
      onFilter={(key, value) => onChange({ [key]: value })}
    />
  );
}
