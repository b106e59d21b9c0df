import { seeNotice, useNotices } from "../../data/mailboxes.ts";
import { Button } from "../../design/button.tsx";
import { Strip } from "../../design/feedback.tsx";

/** A consent that has ended: the person reads why, until they say that they have. */
export function Notices() {
  const { data } = useNotices();
  return data?.map(({ id, text }) => (
    <Strip
      key={id}
      tone="failed"
      action={
        <Button size="small" onClick={() => void seeNotice(id)}>
          Seen
        </Button>
      }
    >
      {text}
    </Strip>
  ));
}
