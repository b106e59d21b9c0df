/** One line that is several trades: a row for each, with what differs. */
import { useState } from "react";
import type { Facts } from "../../data/reviews.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { formatNumber } from "../../design/format.ts";
import { FIELDS, showValue, toInput, understand } from "./fields.ts";

const COLUMNS = FIELDS.filter(({ key }) =>
  ["quantity", "price", "gross", "net", "reference"].includes(key),
);
const QUANTITY = FIELDS.find(({ key }) => key === "quantity")!;
const LINES_MAX = 10;

const withoutColumns = (draft: Facts): Facts =>
  Object.fromEntries(
    Object.entries(draft).filter(([key]) => !COLUMNS.some((column) => column.key === key)),
  );

export function SplitDialog({
  read,
  facts,
  draft,
  onClose,
  onSplit,
}: {
  read: Facts;
  facts: Facts;
  /** What was corrected before holds for every trade. */
  draft: Facts;
  onClose: () => void;
  onSplit: (lines: Facts[]) => void;
}) {
  const blank = () => Object.fromEntries(COLUMNS.map(({ key }) => [key, toInput(facts[key])]));
  const [lines, setLines] = useState<Record<string, string>[]>([blank(), blank()]);
  const understood = lines.map((line) =>
    COLUMNS.map((spec) => [spec, understand(spec, line[spec.key] ?? "")] as const),
  );
  const isValid = understood.flat().every(([, each]) => each.isValid);
  const together = understood.reduce((sum, line) => {
    const [, quantity] = line.find(([spec]) => spec.key === "quantity")!;
    return sum + (quantity.isValid ? Number(quantity.value ?? 0) : 0);
  }, 0);
  const isWhole = together === facts["quantity"];
  const send = () =>
    onSplit(
      understood.map((line) => ({
        ...withoutColumns(draft),
        ...Object.fromEntries(
          line.flatMap(([spec, each]) =>
            each.isValid && each.value !== (read[spec.key] ?? null) ? [[spec.key, each.value]] : [],
          ),
        ),
      })),
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Split into several trades"
      onSubmit={send}
      actions={
        <>
          <Button
            disabled={lines.length >= LINES_MAX}
            onClick={() => setLines([...lines, blank()])}
          >
            Add a trade
          </Button>
          <Button type="submit" kind="primary" disabled={!isValid}>
            Book {lines.length} trades
          </Button>
        </>
      }
    >
      <div className="-m-1 overflow-x-auto p-1">
        <table className="w-full">
          <thead>
            <tr className="text-left text-label text-text-2">
              {COLUMNS.map(({ key, label }) => (
                <th key={key} className="pb-1 pr-2 font-medium">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, row) => (
              <tr key={row}>
                {COLUMNS.map((spec) => (
                  <td key={spec.key} className="min-w-24 pb-2 pr-2">
                    <input
                      aria-label={`${spec.label} of trade ${row + 1}`}
                      aria-invalid={!understand(spec, line[spec.key] ?? "").isValid}
                      value={line[spec.key]}
                      autoFocus={row === 0 && spec.key === "quantity"}
                      onChange={(event) =>
                        setLines(
                          lines.map((each, index) =>
                            index === row ? { ...each, [spec.key]: event.target.value } : each,
                          ),
                        )
                      }
                      className="h-8 w-full min-w-0 rounded-control border border-control bg-surface px-2 aria-invalid:border-failed"
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={`pb-1 text-label ${isWhole ? "text-text-2" : "text-attention"}`}>
        Together {formatNumber(together)} of {showValue(QUANTITY, facts["quantity"])}.
      </p>
      <p className="text-label text-text-2">All other facts stay as they are in the question.</p>
    </Dialog>
  );
}
