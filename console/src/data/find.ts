/** What the palette finds beside pages: mailboxes by address. Ids open their trace. */
import { useMemo } from "react";
import type { IconName } from "../design/icon.tsx";
import { useMailboxes } from "./mailboxes.ts";

export interface Found {
  readonly icon: IconName;
  readonly text: string;
  readonly hint: string;
  readonly to: string;
}

export function useFound(text: string): readonly Found[] {
  const { data: mailboxes } = useMailboxes();
  const wanted = text.trim().toLowerCase();
  return useMemo(() => {
    if (wanted === "") return [];
    return (mailboxes ?? [])
      .filter(({ address }) => address.includes(wanted))
      .slice(0, 8)
      .map(({ address }) => ({
        icon: "mailboxes",
        text: address,
        hint: "mailbox",
        to: `/mailboxes/${encodeURIComponent(address)}`,
      }));
  }, [mailboxes, wanted]);
}
