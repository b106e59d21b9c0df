import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { sendMail, type Verdict } from "../../data/tenant.ts";
import { Button } from "../../design/button.tsx";
import { Card } from "../../design/card.tsx";
import { Choice, Field } from "../../design/field.tsx";
import { OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";

const VERDICTS = [
  ["", "As Exchange would decide"],
  ["pass", "Passes: the sender is genuine"],
  ["fail", "Fails: the sender is forged"],
  ["none", "None: Exchange did not check"],
] as const;

export function SendMail({ mailboxes }: { mailboxes: readonly string[] }) {
  const [to, setTo] = useState(mailboxes[0] ?? "");
  const [what, setWhat] = useState("note");
  const [auth, setAuth] = useState("");
  const [letter, setLetter] = useState({ from: "", subject: "", body: "" });
  const { outcome, run } = useOutcome();
  const send = () =>
    void run(async () => {
      const filled = Object.fromEntries(Object.entries(letter).filter(([, text]) => text !== ""));
      const { subject } = await sendMail({
        to,
        isNote: what === "note",
        ...(auth === "" ? {} : { auth: auth as Verdict }),
        ...(what === "note" ? {} : filled),
      });
      return `Sent “${subject}” to ${to}.`;
    });
  const set = (name: keyof typeof letter) => (event: React.ChangeEvent<HTMLInputElement>) =>
    setLetter({ ...letter, [name]: event.target.value });
  return (
    <Card title="Send mail">
      <OutcomeStrip outcome={outcome} />
      <form
        className="p-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Choice
          label="To"
          value={to}
          options={mailboxes.map((address) => [address, address])}
          onChange={setTo}
        />
        <Choice
          label="Message"
          value={what}
          options={[
            ["note", "A broker's contract note, a new one each time"],
            ["letter", "A message of your own"],
          ]}
          onChange={setWhat}
        />
        {what === "letter" && (
          <>
            <Field label="From" type="email" value={letter.from} onChange={set("from")} />
            <Field label="Subject" value={letter.subject} onChange={set("subject")} />
            <Field label="Text" value={letter.body} onChange={set("body")} />
          </>
        )}
        <Choice label="Sender check" value={auth} options={VERDICTS} onChange={setAuth} />
        <div className="flex items-center gap-3">
          <Button type="submit" kind="primary" disabled={outcome.kind === "busy"}>
            Send
          </Button>
          {outcome.kind === "done" && (
            <Link to="/events" className="text-accent hover:underline">
              Watch it arrive
            </Link>
          )}
        </div>
      </form>
    </Card>
  );
}
