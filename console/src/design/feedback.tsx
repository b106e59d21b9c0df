/** What a page says while it loads, when there is nothing, and when something failed. */
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Asks again for everything that has no answer yet. */
export const Retry = createContext<(() => void) | null>(null);

/** Shows nothing for 300 ms, then placeholders of the final height, then words. */
export function Loading({ what, rows = 6 }: { what: string; rows?: number }) {
  const onRetry = useContext(Retry);
  const [phase, setPhase] = useState<"silent" | "shapes" | "still" | "slow">("silent");
  useEffect(() => {
    const timers = [
      setTimeout(() => setPhase("shapes"), 300),
      setTimeout(() => setPhase("still"), 2_000),
      setTimeout(() => setPhase("slow"), 10_000),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div role="status" aria-busy className="px-(--gutter) py-2" style={{ minHeight: rows * 36 }}>
      {/* The words take the place of the first shape, where they are seen however long the list is. */}
      <p className="flex h-9 items-center gap-3 text-text-2">
        {phase === "shapes" && <Shape width={70} />}
        {phase === "still" && `Still loading ${what}`}
        {phase === "slow" && (
          <>
            The server is slow.
            {onRetry && (
              <Button size="small" onClick={onRetry}>
                Retry
              </Button>
            )}
          </>
        )}
      </p>
      {phase !== "silent" &&
        Array.from({ length: rows - 1 }, (_, index) => (
          <div key={index} className="flex h-9 items-center">
            <Shape width={57 - ((index * 13) % 27)} />
          </div>
        ))}
    </div>
  );
}

const Shape = ({ width }: { width: number }) => (
  <span aria-hidden className="h-3 rounded-key bg-border" style={{ width: `${width}%` }} />
);

export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-16 text-center">
      <Icon name={icon} size={24} className="text-text-3" />
      <p className="text-balance text-prose font-medium">{title}</p>
      {children && <div className="max-w-prose text-balance text-text-2">{children}</div>}
    </div>
  );
}

/** A strip across the part of the page that it is about. */
export function Strip({
  tone,
  children,
  action,
}: {
  tone: "attention" | "failed" | "info";
  children: ReactNode;
  action?: ReactNode;
}) {
  const look = {
    attention: "bg-attention-tint",
    failed: "bg-failed-tint",
    info: "bg-sunken text-text-2",
  }[tone];
  const colour = { attention: "text-attention", failed: "text-failed", info: "" }[tone];
  const icon = ({ attention: "attention", failed: "failed", info: "info" } as const)[tone];
  return (
    <div
      role={tone === "failed" ? "alert" : "status"}
      className={`flex items-start gap-2 px-(--gutter) py-2 ${look}`}
    >
      <Icon name={icon} className={`${colour} ${action ? "mt-1.5" : "mt-0.5"}`} />
      <div className={`min-w-0 flex-1 break-words ${action ? "py-1" : ""}`}>{children}</div>
      {action}
    </div>
  );
}
