/** The booked trade beside this note, with the differences tinted. */
import { Link } from "@tanstack/react-router";
import type { Facts } from "../../data/reviews.ts";
import type { TradeView } from "../../data/trades.ts";
import { FIELDS, showValue } from "./fields.ts";

const COMPARED = ["direction", "quantity", "price", "tradeDate", "isin", "net", "reference"];

export function OtherTrade({ facts, trade }: { facts: Facts; trade: TradeView }) {
  const booked = trade as unknown as Facts;
  return (
    <section
      aria-label="The booked trade"
      className="max-h-64 shrink-0 overflow-y-auto border-border border-b"
    >
      <table className="w-full">
        <thead>
          <tr className="text-left text-label text-text-2">
            <td className="w-[120px] px-4 py-2" />
            <th className="py-2 font-medium">This note</th>
            <th className="py-2 pr-4 font-medium">
              <Link to={`/trades/${trade.id}` as "/"} className="text-accent">
                Booked trade
              </Link>
            </th>
          </tr>
        </thead>
        <tbody>
          {FIELDS.filter(({ key }) => COMPARED.includes(key)).map((spec) => {
            const [here, there] = [
              showValue(spec, facts[spec.key]),
              showValue(spec, booked[spec.key]),
            ];
            return (
              <tr key={spec.key} className={here === there ? "" : "bg-attention-tint"}>
                <th className="px-4 py-1 text-left font-normal text-text-2">{spec.label}</th>
                <td className="py-1">{here}</td>
                <td className="py-1 pr-4">{there}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
