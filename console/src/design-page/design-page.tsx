/** Every component in every state, with data that never changes, so that pictures of it can be compared. */
import { useState } from "react";
import { Button, FileButton, IconButton, Key } from "../design/button.tsx";
import { Card, Figures, KeyValues } from "../design/card.tsx";
import { Chart, Legend } from "../design/chart.tsx";
import { Dialog, Drawer } from "../design/dialog.tsx";
import { Empty, Loading, Strip } from "../design/feedback.tsx";
import { Choice, Field, SearchBox } from "../design/field.tsx";
import { FilterBar } from "../design/filter-bar.tsx";
import { formatAmount, formatBytes, formatDay, formatDuration } from "../design/format.ts";
import { ICON_NAMES, Icon } from "../design/icon.tsx";
import { Initials } from "../design/initials.tsx";
import { Json } from "../design/json.tsx";
import { Live } from "../design/live.tsx";
import type { Series } from "../design/series.ts";
import { State, StateIcon } from "../design/state.tsx";
import { Timeline } from "../design/timeline.tsx";
import { Toast } from "../design/toast.tsx";
import { Ago, Breakable, Confidence, IdChip, PathChip } from "../design/values.tsx";
import { ThemeChoice } from "../shell/account-dialog.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { MailboxTable } from "./mailbox-table.tsx";
import { STEPS, TIMES } from "./sample.ts";

const EVENTS: Series[] = [
  { label: "Push", colour: 1, isBar: true, values: TIMES.map((_, at) => 3 + ((at * 7) % 5)) },
];
const LAG: Series[] = [
  { label: "Median", colour: 1, values: TIMES.map((_, at) => 0.9 + ((at * 3) % 4) / 10) },
  {
    label: "99th",
    colour: 1,
    isDashed: true,
    values: TIMES.map((_, at) => 1.6 + ((at * 5) % 6) / 10),
  },
];

export function DesignPage() {
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <PageFrame title="Design" note="every component" actions={<ThemeChoice />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Overview />
        <Values />
        <Controls onDialog={() => setDialogOpen(true)} />
        <Feedback />
        <Beside />
      </div>
      <Dialog
        isOpen={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        title="Replay 3 jobs"
        actions={
          <Button kind="primary" onClick={() => setDialogOpen(false)}>
            Replay 3 jobs
          </Button>
        }
      >
        <Field
          label="Reason"
          hint="Kept in the log of actions"
          defaultValue="The archive is back"
        />
      </Dialog>
    </PageFrame>
  );
}

function Overview() {
  return (
    <>
      <div>
        <h2 className="text-verdict font-semibold">Mail is flowing. Three things need you.</h2>
        <p className="text-prose text-text-2">6 of 7 mailboxes are watched, 57 events today.</p>
      </div>
      <Figures
        items={[
          { label: "Events today", value: "57", note: "Sunday average 48" },
          { label: "Brought by push", value: "100", unit: "%", note: "0 rescued by delta" },
          { label: "Lag, median", value: "0.95", unit: "s", note: "99th percentile 0.96 s" },
          {
            label: "Booked without a person",
            value: "32",
            unit: "of 45",
            note: "4 marked for audit",
          },
          {
            label: "Last audit",
            value: (
              <>
                <StateIcon tone="ok" /> Equal
              </>
            ),
            note: "29 in mailboxes, 29 in the log",
          },
        ]}
      />
      <MailboxTable />
      <div className="grid gap-6 md:grid-cols-2">
        <Card title="Events per minute" action={<Legend series={EVENTS} />}>
          <Chart times={TIMES} series={EVENTS} unit="" summary="Between 3 and 7 events a minute." />
        </Card>
        <Card title="Lag" action={<Legend series={LAG} />}>
          <Chart times={TIMES} series={LAG} unit=" s" summary="About one second at the median." />
        </Card>
      </div>
      <Card title="Trace">
        <Timeline steps={STEPS} />
      </Card>
    </>
  );
}

function Values() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Card title="Values">
        <KeyValues
          rows={[
            ["Amount", formatAmount(-5697.62, "GBP")],
            ["Yen", formatAmount(120000, "JPY")],
            ["Day", formatDay("2026-11-12")],
            ["Time", <Ago key="time" at="2026-11-12T18:36:17Z" />],
            ["Duration", formatDuration(85_000)],
            ["Size", formatBytes(37_400)],
            ["Id", <IdChip key="id" id="AAkALgAAc0bjbgmiVowAAAAAACAAAKJm=" label="message" />],
            ["Path", <PathChip key="path" path={`archive/${LONG_NAME}`} />],
            ["Name", <Breakable key="name" text={LONG_NAME} />],
            ["Person", <Initials key="person" person="Nina Berg" />],
            ["Sure", <Confidence key="sure" value={0.997} />],
            ["Doubtful", <Confidence key="doubtful" value={0.41} />],
          ]}
        />
      </Card>
      <Card title="States">
        <ul className="grid gap-2 p-4">
          <li>
            <State tone="ok">Flowing</State>
          </li>
          <li>
            <State tone="attention">Open question</State>
          </li>
          <li>
            <State tone="failed">Unreachable</State>
          </li>
          <li>
            <State tone="waiting">Queued</State>
          </li>
          <li>
            <State tone="unknown">Never heard</State>
          </li>
          <li>
            <State tone="ok" filled>
              Confirmed
            </State>
          </li>
        </ul>
      </Card>
    </div>
  );
}

const LONG_NAME = "sender_email=documents@kestrelbrook.example/20261005_Trade-confirmation.pdf";
const SINCE = new Date("2026-11-12T19:38:03Z");

/** A list with its filters, and what was opened beside it. */
function Beside() {
  const [text, setText] = useState("");
  const [mailbox, setMailbox] = useState<string | undefined>("operations");
  const [isOpen, setOpen] = useState(true);
  return (
    <Card title="A list and its drawer">
      <FilterBar
        searchLabel="Subject"
        text={text}
        onText={setText}
        filters={[
          { key: "mailbox", label: "Mailbox", value: mailbox },
          { key: "since", label: "Since", value: undefined, isDay: true },
        ]}
        onFilter={(_key, value) => setMailbox(value)}
      />
      {/* On a phone the drawer covers the page; here it covers only this. */}
      <div className="flex min-h-40 [transform:translateZ(0)]">
        <div className="min-w-0 flex-1 p-4">
          <Button onClick={() => setOpen(true)}>Open the drawer</Button>
        </div>
        {isOpen && (
          <Drawer title="Arrived" subtitle="event 54" onClose={() => setOpen(false)}>
            <KeyValues rows={[["Subject", "Contract note CN-925922"]]} />
          </Drawer>
        )}
      </div>
    </Card>
  );
}

function Controls({ onDialog }: { onDialog: () => void }) {
  const [text, setText] = useState("");
  const [type, setType] = useState("arrived");
  return (
    <Card title="Controls">
      <div className="flex flex-wrap items-center gap-2 p-4">
        <Button kind="primary" shortcut="C">
          Confirm
        </Button>
        <Button shortcut="R">Reject</Button>
        <Button kind="danger" icon="trash">
          Dismiss
        </Button>
        <FileButton onFiles={() => {}}>Choose a file</FileButton>
        <Button kind="quiet" icon="copy">
          Copy link
        </Button>
        <Button disabled>Not now</Button>
        <Button onClick={onDialog}>Open a dialog</Button>
        <IconButton label="Close" icon="close" />
        <Key>Esc</Key>
        <Live isLive since={null} text="Live, 4 a minute" />
        <Live isLive={false} since={SINCE} text="" />
        <SearchBox label="Subject or sender" value={text} onChange={setText} />
      </div>
      <div className="grid gap-4 px-4 md:grid-cols-3">
        <Field label="Price" defaultValue="4.5259" hint="= 4.5259 GBP" />
        <Field
          label="ISIN"
          defaultValue="GB00BZ1P8M64"
          error="The check digit of the ISIN is wrong."
        />
        <Choice
          label="Type"
          value={type}
          onChange={setType}
          options={[
            ["arrived", "Arrived"],
            ["moved", "Moved"],
          ]}
        />
      </div>
      <ul aria-label="Icons" className="flex flex-wrap gap-3 p-4 text-text-2">
        {ICON_NAMES.map((name) => (
          <li key={name} title={name}>
            <Icon name={name} label={name} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Feedback() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Card title="Loading">
        <Loading what="events" rows={3} />
      </Card>
      <Card title="Empty">
        <Empty icon="review" title="No questions.">
          Postroom asks here when it is not sure.
        </Empty>
      </Card>
      <Card title="Strips">
        <Strip tone="attention">
          Quantity × price is 4,432.38 GBP, but the note asks for 5,697.62 GBP.
        </Strip>
        <Strip tone="failed" action={<Button size="small">Retry</Button>}>
          No answer from the server. What you typed is kept.
        </Strip>
        <Strip tone="info">Demo on the local tenant. Nothing leaves this machine.</Strip>
      </Card>
      <Card title="Toast">
        <div className="p-4">
          <Toast onClose={() => {}}>Replay finished: 3 of 3.</Toast>
        </div>
      </Card>
      <Card title="JSON">
        <Json value={{ seq: 54, eventType: "arrived", subject: "<b>as text</b>" }} />
      </Card>
    </div>
  );
}
