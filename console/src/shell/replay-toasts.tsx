import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { dropEnded, useEndedReplays } from "../data/followed-replays.ts";
import { formatCount } from "../design/format.ts";
import { Toast } from "../design/toast.tsx";

const SHOWN_MS = 6_000;

/** Replays that ended while their page was not open. */
export function ReplayToasts() {
  const [first] = useEndedReplays();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const id = first?.id;
  const isSeen = id !== undefined && path === `/replays/${id}`;
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => dropEnded(id), isSeen ? 0 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isSeen]);
  if (first === undefined || isSeen) return null;
  return (
    <Toast onClose={() => dropEnded(first.id)}>
      Replay finished: {formatCount(first.done)} of {formatCount(first.total)}.{" "}
      <Link to="/replays/$id" params={{ id: first.id }} className="text-accent hover:underline">
        Show
      </Link>
    </Toast>
  );
}
