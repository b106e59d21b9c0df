/** For a document that could not be read: its password, or another file in its place. */
import { useRef, useState } from "react";
import { giveFile, givePassword, type Question } from "../../data/reviews.ts";
import { Button, FileButton } from "../../design/button.tsx";
import { Field } from "../../design/field.tsx";
import { OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";
import { useShortcuts } from "../../shell/shortcuts.ts";

export function GiveFile({ question }: { question: Question }) {
  const [password, setPassword] = useState("");
  const { outcome, run } = useOutcome();
  const isBusy = outcome.kind === "busy";
  const give = (work: () => Promise<unknown>) =>
    void run(async () => {
      await work();
      setPassword("");
      return "The file was read. Its trades are booked, or become new questions.";
    }, "Reading the file");
  const box = useRef<HTMLInputElement>(null);
  const needsPassword = question.reasons.some((reason) => /password|encrypted/.test(reason));
  // It takes no focus by itself: the reader may still want a key for the answer before, such as undo.
  useShortcuts(needsPassword ? { w: () => box.current?.focus() } : {});
  return (
    <div className="shrink-0 border-border border-b">
      <OutcomeStrip outcome={outcome} />
      <div className="p-4">
        <p className="mb-4 text-text-2">
          Postroom found no trade in this document.{" "}
          {needsPassword ? "Give its password or" : "Give"} another file, or enter the trade below.
        </p>
        {needsPassword && (
          <form
            className="mb-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (password !== "") give(() => givePassword(question.id, password));
            }}
          >
            <Field
              label="Password of the file"
              type="password"
              autoComplete="off"
              ref={box}
              aria-keyshortcuts="w"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              hint={
                <>
                  <span className="max-md:hidden">Press W to type it. </span>It is used once and not
                  stored.
                </>
              }
            />
            <Button type="submit" kind="primary" disabled={isBusy || password === ""}>
              Open the file
            </Button>
          </form>
        )}
        <FileButton
          accept="application/pdf,.pdf"
          disabled={isBusy}
          onFiles={([file]) => file && give(() => giveFile(question.id, file))}
        >
          Upload a replacement PDF
        </FileButton>
      </div>
    </div>
  );
}
