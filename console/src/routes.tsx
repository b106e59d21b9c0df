/** Every page has a URL, and every screen is a separate chunk. Names in the query are those of the API, and values stay text. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { NotFound } from "./screens/not-found.tsx";
import { Overview } from "./screens/overview.tsx";
import type { Search } from "./shell/search.ts";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const validateSearch = (search: Record<string, unknown>): Search => search as Search;
const page = <P extends string>(path: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch });

const events = lazyRouteComponent(() => import("./screens/events.tsx"), "Events");
const trace = lazyRouteComponent(() => import("./screens/trace.tsx"), "TracePage");
const review = lazyRouteComponent(() => import("./screens/review.tsx"), "Review");
const question = lazyRouteComponent(() => import("./screens/review/question.tsx"), "QuestionPage");
const trades = lazyRouteComponent(() => import("./screens/trades.tsx"), "Trades");
const trade = lazyRouteComponent(() => import("./screens/trades/trade.tsx"), "TradePage");
const mailboxes = lazyRouteComponent(() => import("./screens/mailboxes.tsx"), "Mailboxes");
const mailbox = lazyRouteComponent(() => import("./screens/mailboxes/mailbox.tsx"), "MailboxPage");
const jobs = lazyRouteComponent(() => import("./screens/jobs.tsx"), "Jobs");
const deadLetters = lazyRouteComponent(() => import("./screens/dead-letters.tsx"), "DeadLetters");
const replay = lazyRouteComponent(() => import("./screens/dead-letters/replay.tsx"), "ReplayPage");
const orders = lazyRouteComponent(() => import("./screens/orders.tsx"), "Orders");
const senders = lazyRouteComponent(() => import("./screens/senders.tsx"), "Senders");
const documents = lazyRouteComponent(() => import("./screens/documents.tsx"), "Documents");
const document = lazyRouteComponent(
  () => import("./screens/documents/document.tsx"),
  "DocumentPage",
);
const search = lazyRouteComponent(() => import("./screens/search.tsx"), "SearchPage");
const settings = lazyRouteComponent(() => import("./screens/settings.tsx"), "Settings");
const tenant = lazyRouteComponent(() => import("./screens/tenant.tsx"), "TenantPage");
const evidence = lazyRouteComponent(() => import("./screens/evidence.tsx"), "Evidence");
const design = lazyRouteComponent(() => import("./design-page/design-page.tsx"), "DesignPage");

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
    const given = Object.entries(search).filter(
      ([, value]) => value !== undefined && value !== "",
    ) as [string, string][];
    return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
