/** Dialogs and drawers: focus stays inside, and Esc returns to where the reader came from. */
import * as Radix from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";

export function Dialog({
  isOpen,
  onClose,
  title,
  children,
  actions,
  onSubmit,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** What Enter in a field does; the button of it among the actions has the type "submit". */
  onSubmit?: () => void;
}) {
  const Parts = onSubmit === undefined ? "div" : "form";
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed left-1/2 top-[12vh] z-50 flex max-h-[76vh] w-[min(560px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-card border border-border bg-surface shadow-popover"
        >
          <header className="flex h-12 items-center justify-between border-b border-border pl-4 pr-2">
            <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" icon="close" />
            </Radix.Close>
          </header>
          <Parts
            className="flex min-h-0 flex-1 flex-col"
            onSubmit={(event: React.FormEvent) => {
              event.preventDefault();
              onSubmit?.();
            }}
          >
            <div className="min-h-0 flex-1 overflow-y-auto break-words p-4">{children}</div>
            {actions && (
              <footer className="flex justify-end gap-2 border-t border-border p-3">
                {actions}
              </footer>
            )}
          </Parts>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * Darkens the page. Radix's own overlay also locks the scrolling of the body with a style element, which the content
 * security policy forbids and which is not needed: the body does not scroll.
 */
export function Scrim() {
  return <div className="fixed inset-0 z-40 bg-[#0d101466]" />;
}

/** Facts beside a list. It covers the page on a phone and never covers the list on a desktop. */
export function Drawer({
  title,
  subtitle,
  actions,
  onClose,
  children,
}: {
  title: string;
  subtitle?: string;
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <aside
      aria-label={title}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
      className="fixed inset-0 z-30 flex flex-col overflow-y-auto border-l border-border bg-canvas md:static md:z-auto md:w-[420px] md:shrink-0"
    >
      <header className="sticky top-0 flex min-h-12 items-center gap-2 border-b border-border bg-canvas px-4">
        <h2 className="text-title font-semibold">{title}</h2>
        {subtitle && <span className="text-text-2">{subtitle}</span>}
        <span className="flex-1" />
        {actions}
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
