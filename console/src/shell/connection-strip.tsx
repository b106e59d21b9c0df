import { tryNow } from "../data/connection.ts";
import { Button } from "../design/button.tsx";
import { Strip } from "../design/feedback.tsx";
import { useNow } from "../design/values.tsx";

export function ConnectionStrip({ nextTryAt }: { nextTryAt: number }) {
  const seconds = Math.max(0, Math.ceil((nextTryAt - useNow().getTime()) / 1000));
  return (
    <Strip
      tone="attention"
      action={
        <Button size="small" onClick={tryNow}>
          Try now
        </Button>
      }
    >
      No answer from the server. {seconds > 0 ? `Next try in ${seconds} s` : "Trying again"}; what
      you typed is kept.
    </Strip>
  );
}
