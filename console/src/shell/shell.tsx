/** The frame of every page: navigation, strips, palette, keys. */
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useConnection } from "../data/connection.ts";
import { useMailboxes } from "../data/mailboxes.ts";
import { useOverview } from "../data/overview.ts";
import { useTenant } from "../data/tenant.ts";
import { chooseTheme } from "../design/theme.ts";
import { mayUse } from "../session/roles.ts";
import { signOut } from "../session/session.ts";
import { useMe } from "../session/use-me.ts";
import { useSettings } from "../session/use-settings.ts";
import { AccountDialog } from "./account-dialog.tsx";
import { ConnectionStrip } from "./connection-strip.tsx";
import { CopiedToast, copyLink } from "./copy-link.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { BottomBar, Navigation } from "./navigation.tsx";
import { pagesFor } from "./pages.ts";
import { Palette, type PaletteAction } from "./palette.tsx";
import { ReplayToasts } from "./replay-toasts.tsx";
import { useShortcuts } from "./shortcuts.ts";

export function Shell() {
  const [open, setOpen] = useState<"palette" | "keys" | "account" | null>(null);
  const { isDemo } = useSettings();
  const me = useMe();
  const connection = useConnection();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isQuestion = /^\/review\/\d+/.test(path);
  const pages = pagesFor(me.role, isDemo);
  const counts = useCounts();
  const navigate = useNavigate();
  const actions: PaletteAction[] = [
    ...THEMES.map(([theme, text]) => ({
      ...({ icon: "sun", text } as const),
      run: () => chooseTheme(theme),
    })),
    { icon: "key", text: "Show all keys", run: () => setOpen("keys") },
    { icon: "link", text: "Copy the link to this page", run: copyLink },
    { icon: "person", text: isDemo ? "Sign in as somebody else" : "Sign out", run: signOut },
  ];
  useShortcuts({
    "ctrl+k": () => setOpen("palette"),
    "?": () => setOpen("keys"),
    "/": () => document.querySelector<HTMLElement>('[data-shortcut="/"]')?.focus(),
    ...(isQuestion ? {} : { j: enterList }),
    y: copyLink,
    ...Object.fromEntries(
      pages.flatMap((page) =>
        page.key === undefined
          ? []
          : [[`g ${page.key}`, () => void navigate({ to: page.path as "/" })]],
      ),
    ),
  });
  useFocusOnPageChange(path);
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50 focus:rounded-control focus:bg-surface focus:px-3 focus:py-1.5"
      >
        Skip to content
      </a>
      <div className="flex min-h-0 flex-1">
        <Navigation
          pages={pages}
          role={me.role}
          person={me.name ?? "Operator"}
          counts={counts}
          isRail={isQuestion}
          onPalette={() => setOpen("palette")}
          onPerson={() => setOpen("account")}
        />
        <div className="flex min-w-0 flex-1 flex-col">
          {isDemo && <DemoStrip maySteer={mayUse(me.role, "operator")} />}
          {connection.isSilent && (
            <div className="page-gutter">
              <ConnectionStrip nextTryAt={connection.nextTryAt} />
            </div>
          )}
          <Outlet />
          {!isQuestion && (
            <BottomBar pages={pages} counts={counts} onMore={() => setOpen("palette")} />
          )}
        </div>
      </div>
      <div className="fixed right-4 bottom-18 z-40 grid max-w-[calc(100vw-32px)] justify-items-end gap-2 empty:hidden md:bottom-4">
        <ReplayToasts />
        <CopiedToast />
      </div>
      <Palette
        isOpen={open === "palette"}
        onClose={() => setOpen(null)}
        pages={pages}
        actions={actions}
      />
      <KeysDialog isOpen={open === "keys"} onClose={() => setOpen(null)} pages={pages} />
      <AccountDialog isOpen={open === "account"} onClose={() => setOpen(null)} />
    </div>
  );
}

const THEMES = [
  ["dark", "Use the dark theme"],
  ["light", "Use the light theme"],
  ["system", "Use the theme of the system"],
] as const;

/** From anywhere on the page to the first row; inside a list its own keys go on from there. */
function enterList(): void {
  if (document.activeElement?.closest("[role=table]")) return;
  document.querySelector<HTMLElement>("#content [role=table] [data-row]")?.focus();
}

function DemoStrip({ maySteer }: { maySteer: boolean }) {
  const { data } = useTenant(maySteer);
  const armed = data?.faults.length ?? 0;
  return (
    <p className="flex h-7 shrink-0 items-center gap-2 truncate border-border border-b bg-sunken px-4 text-label text-text-2 md:px-6">
      Demo on the local tenant. Nothing leaves this machine.
      {maySteer && (
        <Link to="/tenant" className="font-medium hover:underline max-md:hidden">
          Send mail, or make something fail
        </Link>
      )}
      {armed > 0 && (
        <Link to="/tenant" className="font-medium text-attention hover:underline">
          {armed === 1 ? "A fault is armed" : `${armed} faults are armed`}
        </Link>
      )}
    </p>
  );
}

/** Only where a person is needed. */
function useCounts(): Record<string, number> {
  const { data } = useOverview();
  const dead = data?.deadLetters?.reduce((sum, cause) => sum + cause.count, 0) ?? 0;
  const { data: mailboxes = [] } = useMailboxes();
  const unreachable = mailboxes.filter(({ status }) => status === "unreachable").length;
  return {
    "/review": data?.reviews?.open ?? 0,
    "/mailboxes": unreachable,
    "/dead-letters": dead,
  };
}

/** A screen reader announces the new page, and the keyboard starts at its top. */
function useFocusOnPageChange(path: string): void {
  const top = path.split("/")[1];
  useEffect(() => {
    if (top !== undefined) document.getElementById("content")?.focus({ preventScroll: true });
  }, [top]);
}
