/** Where a person lets Postroom read their own mailbox, and sees whether it still does. */
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { connectOwnMailbox, type Mailbox, useMailboxes } from "../../data/mailboxes.ts";
import { Button, buttonLook } from "../../design/button.tsx";
import { Card, KeyValues } from "../../design/card.tsx";
import { Empty, Loading } from "../../design/feedback.tsx";
import { formatCount } from "../../design/format.ts";
import { State } from "../../design/state.tsx";
import { Ago } from "../../design/values.tsx";
import { mayCall } from "../../session/roles.ts";
import { useMe } from "../../session/use-me.ts";
import { DoButton, OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";
import { Failure } from "../../shell/failure.tsx";
import { PageFrame } from "../../shell/page-frame.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { appOf, describeConnection, isConnectedByOwner } from "./connection-words.ts";
import { Notices } from "./notices.tsx";

export function MyMailbox() {
  const { data, error, refetch } = useMailboxes();
  const { id } = useMe();
  return (
    <PageFrame title="My mailbox">
      {data ? (
        <Content
          mine={data.find(({ ownerId }) => ownerId === id)}
          others={data.filter((each) => each.ownerId !== id && isConnectedByOwner(each))}
        />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="your mailbox" rows={8} />
      )}
    </PageFrame>
  );
}

function Content({ mine, others }: { mine: Mailbox | undefined; others: readonly Mailbox[] }) {
  const { role } = useMe();
  const mayAsk = mayCall(role, "connectMailbox");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-2 empty:hidden [&>*]:rounded-card">
        <Notices />
      </div>
      {mine !== undefined && !isConnectedByOwner(mine) ? (
        <Mine mailbox={mine} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
          {mine === undefined ? <NotConnected /> : <Mine mailbox={mine} />}
          <Promises />
        </div>
      )}
      {(mayAsk || others.length > 0) && <Others mailboxes={others} mayAsk={mayAsk} />}
    </div>
  );
}

function NotConnected() {
  const { outcome, run } = useOutcome();
  return (
    <Card title="Your mailbox">
      <Empty icon="mail" title="Your mailbox is not connected.">
        <p className="mb-4">
          Sign in with Microsoft and allow Postroom to read it. Its events then appear within
          seconds.
        </p>
        <DoButton kind="primary" outcome={outcome} onDo={() => void run(begin("default"))}>
          Connect my mailbox
        </DoButton>
      </Empty>
      <OutcomeStrip outcome={outcome} />
    </Card>
  );
}

/** The browser leaves the page for the sign-in; only somebody who comes back reads the answer. */
const begin = (connection: string) => async () => {
  await connectOwnMailbox(connection);
  return "Microsoft's sign-in opens. It can be used for ten minutes.";
};

function Mine({ mailbox }: { mailbox: Mailbox }) {
  const { outcome, run } = useOutcome();
  const { tone, word, says, canConnect } = describeConnection(mailbox, { isMine: true });
  return (
    <Card title="Your mailbox">
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 break-words text-verdict font-semibold">{mailbox.address}</span>
          <State tone={tone}>{word}</State>
        </div>
        <p className="max-w-prose text-prose">{says}</p>
        <div className="flex flex-wrap gap-2">
          {canConnect && (
            <DoButton kind="primary" outcome={outcome} onDo={() => void run(begin(appOf(mailbox)))}>
              Connect again
            </DoButton>
          )}
          <PlainLink to="/events" search={{ mailbox: mailbox.address }}>
            Events
          </PlainLink>
          <PlainLink to={`/mailboxes/${encodeURIComponent(mailbox.address)}`}>
            Folders and health
          </PlainLink>
        </div>
      </div>
      <OutcomeStrip outcome={outcome} />
      <div className="border-border border-t">
        <KeyValues
          rows={[
            ["Watched since", <Ago key="since" at={mailbox.createdAt} />],
            ["Last event", <Ago key="event" at={mailbox.lastEventAt} />],
            ["Last read", <Ago key="read" at={mailbox.lastDeltaAt} />],
          ]}
        />
      </div>
    </Card>
  );
}

function PlainLink(props: { to: string; search?: Record<string, string>; children: ReactNode }) {
  return (
    <Link
      to={props.to as "/"}
      {...(props.search ? { search: props.search } : {})}
      className={buttonLook("plain", "small")}
    >
      {props.children}
    </Link>
  );
}

const PROMISES = [
  [
    "It reads",
    "the mail in your mailbox (Mail.Read), and your name and address (User.Read). It cannot send, change or delete anything.",
  ],
  [
    "It keeps",
    "the permission that Microsoft gives it, encrypted. Your password stays with Microsoft.",
  ],
  [
    "It ends",
    "when you withdraw it in your Microsoft account, change your password, or ask an operator to remove the mailbox. This page then says why.",
  ],
] as const;

function Promises() {
  return (
    <Card title="What you allow">
      <KeyValues rows={PROMISES} />
    </Card>
  );
}

function Others({ mailboxes, mayAsk }: { mailboxes: readonly Mailbox[]; mayAsk: boolean }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title="Connected by their owners"
      count={formatCount(mailboxes.length)}
      action={
        mayAsk && (
          <Button size="small" onClick={() => setAsking(true)}>
            Ask somebody
          </Button>
        )
      }
    >
      {mailboxes.length === 0 ? (
        <p className="p-4 text-text-2">
          Nobody else has connected a mailbox. Ask somebody, and send them the page where they sign
          in.
        </p>
      ) : (
        <ul>
          {mailboxes.map((mailbox) => (
            <OtherLine key={mailbox.address} mailbox={mailbox} />
          ))}
        </ul>
      )}
      {isAsking && <AskDialog onClose={() => setAsking(false)} />}
    </Card>
  );
}

function OtherLine({ mailbox }: { mailbox: Mailbox }) {
  const { tone, word, says } = describeConnection(mailbox, { isMine: false });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-border border-b px-4 py-2.5 last:border-b-0">
      <span className="min-w-0 flex-1 basis-64 break-words">
        <Link
          to="/mailboxes/$address"
          params={{ address: mailbox.address }}
          className="font-medium hover:underline"
        >
          {mailbox.address}
        </Link>
        <span className="block text-label text-text-2">{says}</span>
      </span>
      <State tone={tone}>{word}</State>
    </li>
  );
}
