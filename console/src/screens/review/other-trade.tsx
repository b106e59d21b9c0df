/** The booked trade beside this note, with the differences tinted; neither is the better one. */
import { Link } from "@tanstack/react-router";
import type { Facts } from "../../data/reviews.ts";
import type { TradeView } from "../../data/trades.ts";
import { Button } from "../../design/button.tsx";
import { Ago } from "../../design/values.tsx";
import { FIELDS, showValue } from "./fields.ts";

const COMPARED = [
  ...["direction", "quantity", "price", "isin", "name", "tradeDate", "net", "account"],
  "reference",
];

export interface OtherTradeProps {
  readonly facts: Facts;
  readonly receivedAt: string | null;
  readonly trades: readonly TradeView[];
  readonly shown: number;
  readonly onShow: (index: number) => void;
  /** Whether the page shows the note of the booked trade. */
  readonly isSwapped: boolean;
  readonly onSwap: () => void;
}

export function OtherTrade(props: OtherTradeProps) {
  const { facts, receivedAt, trades, shown, onShow, isSwapped, onSwap } = props;
  const trade = trades[shown]!;
  const [note] = trade.documents;
  const booked = trade as unknown as Facts;
  return (
    <section
      aria-label="The booked trade"
      className="max-h-[45%] shrink-0 overflow-y-auto border-border border-b"
    >
      <div className="flex flex-wrap items-center gap-1 px-3 pt-2">
        {trades.length > 1 &&
          trades.map(({ id }, index) => (
            <Button
              key={id}
              size="small"
              kind={index === shown ? "plain" : "quiet"}
              aria-pressed={index === shown}
              onClick={() => onShow(index)}
            >
              Trade {index + 1}
            </Button>
          ))}
        <span className="flex-1" />
        {note !== undefined && (
          <Button size="small" kind="quiet" shortcut="O" aria-pressed={isSwapped} onClick={onSwap}>
            {isSwapped ? "Show this note" : "Show the other note"}
          </Button>
        )}
      </div>
      <table className="w-full table-fixed">
        <thead>
          <tr className="text-left align-top text-label text-text-2">
            <td className="w-[116px] px-4 py-2" />
            <th className="py-2 pr-3 font-normal">
              <b className="block font-medium text-text">This note</b>
              {receivedAt !== null && (
                <>
                  received <Ago at={receivedAt} />
                </>
              )}
            </th>
            <th className="py-2 pr-4 font-normal">
              <Link
                to="/trades/$id"
                params={{ id: trade.id }}
                className="block font-medium text-accent hover:underline"
              >
                Booked trade
              </Link>
              {note !== undefined && (
                <>
                  received <Ago at={note.receivedAt} />
                </>
              )}
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
                <th className="px-4 py-1 text-left font-normal text-text-2">
                  {spec.label}
                  {here !== there && <span className="sr-only"> differs</span>}
                </th>
                <td className="break-words py-1 pr-3">{here}</td>
                <td className="break-words py-1 pr-4">{there}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
