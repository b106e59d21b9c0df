/** A button that does something on the server and says beside itself how it ended. */
import { useEffect, useState } from "react";
import { Button, type ButtonKind } from "../design/button.tsx";
import { Strip } from "../design/feedback.tsx";
import type { IconName } from "../design/icon.tsx";
import { Failure } from "./failure.tsx";

export type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "busy"; readonly doing: string }
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "failed"; readonly error: unknown };

export function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const run = (work: () => Promise<string>, doing = "Working on it") => {
    setOutcome({ kind: "busy", doing });
    return work().then(
      (text) => setOutcome({ kind: "done", text }),
      (error: unknown) => setOutcome({ kind: "failed", error }),
    );
  };
  return { outcome, run };
}

export function DoButton({
  children,
  outcome,
  onDo,
  kind = "plain",
  icon,
  disabled = false,
}: {
  children: string;
  outcome: Outcome;
  onDo: () => void;
  kind?: ButtonKind;
  icon?: IconName;
  disabled?: boolean;
}) {
  return (
    <Button
      kind={kind}
      size="small"
      disabled={disabled || outcome.kind === "busy"}
      onClick={onDo}
      {...(icon ? { icon } : {})}
    >
      {children}
    </Button>
  );
}

export function OutcomeStrip({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === "failed") return <Failure error={outcome.error} />;
  if (outcome.kind === "done") return <Strip tone="info">{outcome.text}</Strip>;
  return outcome.kind === "busy" ? <Doing text={outcome.doing} /> : null;
}

const SILENT_MS = 300;

/** Most work ends before anybody could read this. */
function Doing({ text }: { text: string }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SILENT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown && <Strip tone="info">{text}</Strip>;
}
