/** Which order a booked trade executes: the trade, and the open orders of its person, each one key away. */
import { Link } from "@tanstack/react-router";
import type { Decision, Facts, Question } from "../../data/reviews.ts";
import { Button, Key } from "../../design/button.tsx";
import { State } from "../../design/state.tsx";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { FIELDS, showValue } from "./fields.ts";

const SHOWN = ["direction", "quantity", "name", "isin", "tradeDate", "price", "net"];
const KEYS_MAX = 9;

type Trade = NonNullable<Question["trade"]>;

export function OrderQuestion({
  trade,
  onAnswer,
}: {
  trade: Trade;
  onAnswer: (decision: Decision, label: string) => void;
}) {
  const orders = [...trade.matchMatrix].sort(
    (a, b) => Number(a.failed !== null) - Number(b.failed !== null),
  );
  const facts = trade.facts as Facts;
  const label = String(facts["reference"] ?? trade.tradeKey);
  const link = (orderId: number) => onAnswer({ action: "link", orderId }, label);
  const leave = () => onAnswer({ action: "accept" }, label);
  useShortcuts({
    c: leave,
    ...Object.fromEntries(
      orders
        .slice(0, KEYS_MAX)
        .map(({ orderId }, index) => [String(index + 1), () => link(orderId)]),
    ),
  });
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto short:flex-none">
        <section aria-label="The trade" className="border-border border-b p-4">
          <h3 className="mb-2 text-label font-medium text-text-2">The trade of {trade.username}</h3>
          <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-4 gap-y-1.5">
            {FIELDS.filter(({ key }) => SHOWN.includes(key)).map((spec) => (
              <div key={spec.key} className="contents">
                <dt className="text-text-2">{spec.label}</dt>
                <dd className="min-w-0 break-words font-medium">
                  {showValue(spec, facts[spec.key])}
                </dd>
              </div>
            ))}
          </dl>
          <Link
            to="/trades/$id"
            params={{ id: trade.id }}
            className="mt-3 inline-block text-accent hover:underline"
          >
            Open the trade
          </Link>
        </section>
        <section aria-label="Open orders" className="p-4">
          <h3 className="mb-2 text-label font-medium text-text-2">
            Open orders of {trade.username}
          </h3>
          {orders.length === 0 && (
            <p className="text-text-2">
              There is none. Import the order first, or leave the trade without one.
            </p>
          )}
          <ul>
            {orders.map(({ orderId, reference, failed, why }, index) => (
              <li key={orderId}>
                <button
                  type="button"
                  onClick={() => link(orderId)}
                  className="flex w-full items-start gap-3 rounded-control px-2 py-1.5 text-left hover:bg-sunken"
                >
                  <Key>{index < KEYS_MAX ? index + 1 : "·"}</Key>
                  <span className="min-w-0 flex-1 break-words">
                    <span className="font-medium">{reference}</span>
                    <span className="block text-label text-text-2">{why}</span>
                  </span>
                  <State tone={failed === null ? "ok" : "waiting"}>
                    {failed === null ? "Fits" : `Differs in ${failed}`}
                  </State>
                </button>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <div className="shrink-0 border-border border-t p-3">
        <Button shortcut="C" onClick={leave}>
          Leave without an order
        </Button>
      </div>
    </>
  );
}
