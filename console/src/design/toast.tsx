/** Tells of work that ended while its reader was elsewhere, or that leaves nothing to see. Errors never stand here: they stand where they happened. */
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { StateIcon } from "./state.tsx";

export function Toast({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <div
      role="status"
      className="flex w-fit max-w-full items-center gap-3 rounded-card border border-border bg-surface py-1.5 pl-4 pr-2 shadow-popover"
    >
      <StateIcon tone="ok" />
      <span className="min-w-0 break-words">{children}</span>
      <IconButton label="Close" icon="close" onClick={onClose} />
    </div>
  );
}
