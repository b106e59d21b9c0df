/** Every page has a URL, and every screen is a separate chunk. Names in the query are those of the API, and values stay text. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { untilReturn } from "./data/connection.ts";
import { NotFound } from "./screens/not-found.tsx";
import { Overview } from "./screens/overview.tsx";
import type { Search } from "./shell/search.ts";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const validateSearch = (search: Record<string, unknown>): Search => search as Search;
const page = <P extends string>(path: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch });

/** Without the server a screen that was not opened before cannot be loaded: the page stays until it can. */
const screen = <T extends Record<string, unknown>, K extends keyof T>(
  load: () => Promise<T>,
  name: K,
) => lazyRouteComponent(() => load().catch(() => untilReturn().then(load)), name);

const events = screen(() => import("./screens/events.tsx"), "Events");
const trace = screen(() => import("./screens/trace.tsx"), "TracePage");
const review = screen(() => import("./screens/review.tsx"), "Review");
const question = screen(() => import("./screens/review/question.tsx"), "QuestionPage");
const trades = screen(() => import("./screens/trades.tsx"), "Trades");
const trade = screen(() => import("./screens/trades/trade.tsx"), "TradePage");
const mailboxes = screen(() => import("./screens/mailboxes.tsx"), "Mailboxes");
const mailbox = screen(() => import("./screens/mailboxes/mailbox.tsx"), "MailboxPage");
const myMailbox = screen(() => import("./screens/mailboxes/my-mailbox.tsx"), "MyMailbox");
const jobs = screen(() => import("./screens/jobs.tsx"), "Jobs");
const deadLetters = screen(() => import("./screens/dead-letters.tsx"), "DeadLetters");
const replay = screen(() => import("./screens/dead-letters/replay.tsx"), "ReplayPage");
const orders = screen(() => import("./screens/orders.tsx"), "Orders");
const senders = screen(() => import("./screens/senders.tsx"), "Senders");
const documents = screen(() => import("./screens/documents.tsx"), "Documents");
const document = screen(() => import("./screens/documents/document.tsx"), "DocumentPage");
const search = screen(() => import("./screens/search.tsx"), "SearchPage");
const settings = screen(() => import("./screens/settings.tsx"), "Settings");
const tenant = screen(() => import("./screens/tenant.tsx"), "TenantPage");
const evidence = screen(() => import("./screens/evidence.tsx"), "Evidence");
const design = screen(() => import("./design-page/design-page.tsx"), "DesignPage");

export const router = createRouter({
  routeTree: root.addChildren([
    page("/", Overview),
    page("/events", events),
    page("/trace/$id", trace),
    page("/review", review),
    page("/review/$id", question),
    page("/trades", trades),
    page("/trades/$id", trade),
    page("/orders", orders),
    page("/documents", documents),
    page("/documents/$id", document),
    page("/search", search),
    page("/ask", search),
    page("/mailboxes", mailboxes),
    page("/mailboxes/$address", mailbox),
    page("/my-mailbox", myMailbox),
    page("/jobs", jobs),
    page("/dead-letters", deadLetters),
    page("/replays/$id", replay),
    page("/evidence", evidence),
    page("/senders", senders),
    page("/settings", settings),
    page("/tenant", tenant),
    page("/design", design),
  ]),
  defaultPreload: "intent",
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const parameters = Object.entries(search).filter(
      ([, value]) => value !== undefined && value !== "",
    ) as [string, string][];
    return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
