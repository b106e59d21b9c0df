import { useState } from "react";
import { armFault, clearFaults, type TenantFault } from "../../data/tenant.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { Card } from "../../design/card.tsx";
import { Choice, Field } from "../../design/field.tsx";
import { plural } from "../../design/format.ts";
import { State } from "../../design/state.tsx";
import { OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";

const WORDS: Readonly<Record<string, string>> = {
  throttle: "Requests are refused with 429",
  "server-error": "Requests fail with 503",
  timeout: "Requests time out",
  reset: "Connections break",
  slow: "Responses are slow",
  html: "Responses are HTML instead of JSON",
  "expire-delta": "Delta links expire",
  "drop-notification": "Notifications are lost",
  "duplicate-notification": "Notifications arrive twice",
  "late-notification": "Notifications arrive late",
  "reorder-notifications": "Notifications arrive out of order",
  "interaction-required": "People must sign in again",
  "service-protection": "Dataverse enforces its service limits (429)",
};

/** A fault of any part of the tenant would stop the sign-in too. */
const OF_REQUESTS = new Set(["throttle", "server-error", "timeout", "reset", "slow", "html"]);

export function Faults({
  faults,
  kinds,
}: {
  faults: readonly TenantFault[];
  kinds: readonly string[];
}) {
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [part, setPart] = useState("graph");
  const [times, setTimes] = useState("3");
  const [pause, setPause] = useState("2");
  const { outcome, run } = useOutcome();
  const isThrottle = kind === "throttle";
  const isCount = isWhole(times, 1);
  const isPause = isWhole(pause, 0);
  const isValid = isCount && (isPause || !isThrottle);
  const count = Number(times);
  const arm = () =>
    void run(async () => {
      await armFault({
        kind,
        times: count,
        ...(OF_REQUESTS.has(kind) ? { where: { part } } : {}),
        ...(isThrottle ? { options: { retryAfterSeconds: Number(pause) } } : {}),
      });
      return `Armed: ${wordsOf(kind).toLowerCase()}, ${plural(count, "time")}.`;
    });
  const clear = (id?: string) =>
    void run(async () => {
      await clearFaults(id);
      return id === undefined ? "All faults are cleared." : "The fault is cleared.";
    });
  return (
    <Card
      title="Faults"
      count={faults.length}
      action={
        faults.length > 0 && (
          <Button size="small" onClick={() => clear()}>
            Clear all
          </Button>
        )
      }
    >
      <OutcomeStrip outcome={outcome} />
      <ArmedFaults faults={faults} onClear={clear} />
      <form
        className="p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) arm();
        }}
      >
        <Choice
          label="What goes wrong"
          value={kind}
          options={kinds.map((each) => [each, wordsOf(each)])}
          onChange={setKind}
        />
        {OF_REQUESTS.has(kind) && (
          <Choice
            label="Where"
            value={part}
            options={[
              ["graph", "Graph"],
              ["dataverse", "Dataverse"],
            ]}
            onChange={setPart}
          />
        )}
        <Field
          label="Number of times"
          inputMode="numeric"
          value={times}
          onChange={(event) => setTimes(event.target.value)}
          error={isCount ? null : "Enter a whole number of at least 1."}
        />
        {isThrottle && (
          <Field
            label="Retry-After, in seconds"
            inputMode="numeric"
            value={pause}
            onChange={(event) => setPause(event.target.value)}
            error={isPause ? null : "Enter a whole number."}
          />
        )}
        <Button type="submit" disabled={!isValid || outcome.kind === "busy"}>
          Arm the fault
        </Button>
      </form>
    </Card>
  );
}

const isWhole = (text: string, least: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= least;

const wordsOf = (kind: string): string => WORDS[kind] ?? kind;

function ArmedFaults({
  faults,
  onClear,
}: {
  faults: readonly TenantFault[];
  onClear: (id: string) => void;
}) {
  if (faults.length === 0)
    return <p className="px-4 pt-4 text-text-2">No fault is armed: the tenant behaves.</p>;
  return (
    <ul aria-label="Armed faults">
      {faults.map(({ id, kind, where, remaining }) => (
        <li key={id} className="flex items-center gap-3 border-border border-b px-4 py-2">
          <State tone="attention">{wordsOf(kind)}</State>
          <span className="min-w-0 flex-1 truncate text-text-2">
            {[...Object.values(where).map(String), leftOf(remaining)].join(", ")}
          </span>
          <IconButton label={`Clear: ${wordsOf(kind)}`} icon="close" onClick={() => onClear(id)} />
        </li>
      ))}
    </ul>
  );
}

const leftOf = (remaining: number | null): string =>
  remaining === null ? "until it is cleared" : `${plural(remaining, "time")} more`;
