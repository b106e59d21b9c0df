/** A chip for each filter; the choice is part of the URL. */
import { useState } from "react";
import { useMailboxes } from "../../data/mailboxes.ts";
import { FilterBar } from "../../design/filter-bar.tsx";
import type { Search } from "../../shell/search.ts";
import { EVENT_TYPES, SEEN_BY, typeOf } from "./event-words.tsx";

export function EventFilters({
  filter,
  onChange,
}: {
  filter: Search;
  onChange: (changes: Search) => void;
}) {
  const { data: mailboxes = [] } = useMailboxes();
  const [text, setText] = useState(filter["text"] ?? "");
  return (
    <FilterBar
      searchLabel="Subject"
      text={text}
      onText={(value) => {
        setText(value);
        onChange({ text: value || undefined });
      }}
      filters={[
        {
          key: "mailbox",
          label: "Mailbox",
          value: filter["mailbox"],
          options: mailboxes.map(({ address }) => [address, address.split("@")[0]!]),
        },
        {
          key: "type",
          label: "Type",
          value: filter["type"],
          options: EVENT_TYPES.map((type) => [type, typeOf(type).word]),
        },
        {
          key: "seenBy",
          label: "By",
          value: filter["seenBy"],
          options: Object.entries(SEEN_BY),
        },
        { key: "senderDomain", label: "Sender's domain", value: filter["senderDomain"] },
        { key: "folder", label: "Folder", value: filter["folder"] },
        { key: "messageId", label: "Message", value: filter["messageId"] },
      ]}
      onFilter={(key, value) => onChange({ [key]: value })}
    />
  );
}
