/** What went wrong, where it went wrong, with the id that finds it in the log. */
import { ApiProblem } from "../data/api.ts";
import { Button } from "../design/button.tsx";
import { Strip } from "../design/feedback.tsx";
import { IdChip } from "../design/values.tsx";

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { detail, correlationId } = describe(error);
  return (
    <Strip
      tone="failed"
      action={
        onRetry &&
        !isForbidden(error) && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {detail} {correlationId && <IdChip id={correlationId} label="correlation id" />}
    </Strip>
  );
}

const isForbidden = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 403;

function describe(error: unknown): { detail: string; correlationId: string | null } {
  if (!(error instanceof ApiProblem))
    return { detail: (error as Error).message, correlationId: null };
  if (isForbidden(error)) return { detail: `Not allowed: ${error.detail}.`, correlationId: null };
  return { detail: sentence(error.detail), correlationId: error.correlationId };
}

/** The server's details begin in lower case, as parts of a log line do. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
