import { formatClock } from "./format.ts";

/** A filled dot while events can arrive; a hollow one with the time since when they cannot. */
export function Live({
  isLive,
  since,
  text,
  pausedText,
}: {
  isLive: boolean;
  since: Date | null;
  text: string;
  pausedText?: string | undefined;
}) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap text-label text-text-2">
      <span
        aria-hidden
        className={`size-2 rounded-full ${isLive ? "bg-ok" : "border border-control"}`}
      />
      {isLive
        ? text
        : (pausedText ??
          (since === null ? "Connecting" : `Disconnected at ${formatClock(since)}. Reconnecting.`))}
    </span>
  );
}
