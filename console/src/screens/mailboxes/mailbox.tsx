/** One mailbox: its health, its folders and their cursors, and what an operator can do. */
import { Link, useParams } from "@tanstack/react-router";
import {
  type Access,
  type AuditReport,
  actOnMailbox,
  type Folder,
  type Mailbox,
  useMailbox,
  useMailboxes,
} from "../../data/mailboxes.ts";
import { buttonLook } from "../../design/button.tsx";
import { Card, KeyValues } from "../../design/card.tsx";
import { Loading, Strip } from "../../design/feedback.tsx";
import { formatCount, formatSeconds, plural } from "../../design/format.ts";
import { State } from "../../design/state.tsx";
import { type Column, Table } from "../../design/table.tsx";
import { Ago, IdChip } from "../../design/values.tsx";
import { mayCall } from "../../session/roles.ts";
import { useMe } from "../../session/use-me.ts";
import { DoButton, OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";
import { Failure } from "../../shell/failure.tsx";
import { PageFrame } from "../../shell/page-frame.tsx";
import { deliveryOf, MailboxState } from "../overview/mailbox-summary.tsx";

export function MailboxPage() {
  const { address } = useParams({ strict: false }) as { address: string };
  const { data, error, refetch } = useMailbox(address);
  const { data: all } = useMailboxes();
  const listed = all?.find((each) => each.address === address);
  return (
    <PageFrame
      title={address}
      crumbs={[
        <Link key="mailboxes" to="/mailboxes">
          Mailboxes
        </Link>,
      ]}
      actions={
        <Link to="/events" search={{ mailbox: address }} className={buttonLook("plain", "small")}>
          Events
        </Link>
      }
    >
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {data.status === "unreachable" && <Fix mailbox={data} />}
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <h2 className="text-verdict font-semibold">{VERDICTS[data.status]}</h2>
            <Actions mailbox={data} />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[360px_minmax(0,1fr)]">
            <Health mailbox={{ ...listed, ...data }} />
            <Card title="Folders" count={formatCount(data.folders.length)}>
              <Table
                label="Folders"
                rows={[...data.folders].sort(byName)}
                columns={FOLDER_COLUMNS}
                rowKey={({ folderId }) => folderId}
                rowLabel={({ displayName }) => displayName}
                phone={(folder) => ({
                  first: folder.displayName,
                  second: <Ago at={folder.lastDeltaAt} />,
                  aside: <FolderState folder={folder} />,
                })}
              />
            </Card>
          </div>
        </div>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the mailbox" rows={10} />
      )}
    </PageFrame>
  );
}

const byName = (a: Folder, b: Folder): number => a.displayName.localeCompare(b.displayName);

const VERDICTS = {
  active: "Mail is flowing.",
  paused: "This mailbox is paused.",
  unreachable: "This mailbox cannot be read.",
} as const;

function Fix({ mailbox }: { mailbox: Mailbox }) {
  return (
    <div className="overflow-hidden rounded-card">
      <Strip tone="failed">
        <b className="font-semibold">Postroom cannot read this mailbox:</b> {mailbox.statusReason}.
        Give the account an Exchange Online licence or allow the app to read it, then choose “Check
        access”. To stop watching it, run{" "}
        <code className="font-mono text-label">postroom mailbox remove {mailbox.address}</code>.
      </Strip>
    </div>
  );
}

/** The owner of a mailbox may compare it with the log; the rest is for operators. */
function Actions({ mailbox }: { mailbox: Mailbox }) {
  const { outcome, run } = useOutcome();
  const { id, role } = useMe();
  const { address } = mailbox;
  const isOperator = mayCall(role, "pauseMailbox");
  if (!isOperator && mailbox.ownerId !== id) return null;
  const act = (action: string, text: string) => () =>
    void run(async () => {
      await actOnMailbox(address, action);
      return text;
    });
  const verify = () =>
    void run(async () => {
      const access = await actOnMailbox<Access>(address, "verify");
      if (!access.isReadable) throw new Error(`Postroom cannot read it: ${access.reason}`);
      return "Postroom can read this mailbox.";
    }, "Checking access");
  const audit = () =>
    void run(async () => {
      const report = await actOnMailbox<AuditReport>(address, "audit");
      const counts = `${formatCount(report.inMailbox)} in the mailbox, ${formatCount(report.inLog)} in the log`;
      return report.findings.length === 0
        ? `${counts}: they match.`
        : `${counts}: ${plural(report.findings.length, "difference")}.`;
    }, "Comparing the mailbox with the log");
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <DoButton outcome={outcome} onDo={audit}>
          Audit
        </DoButton>
        {isOperator && (
          <>
            <DoButton outcome={outcome} onDo={verify}>
              Check access
            </DoButton>
            <DoButton
              outcome={outcome}
              onDo={act("resync", "Every folder will be read again from the start.")}
            >
              Read all folders again
            </DoButton>
          </>
        )}
        {!isOperator ? null : mailbox.status === "paused" ? (
          <DoButton
            outcome={outcome}
            icon="play"
            onDo={act("resume", "The mailbox is watched again.")}
          >
            Resume
          </DoButton>
        ) : (
          <DoButton outcome={outcome} icon="pause" onDo={act("pause", "The mailbox is paused.")}>
            Pause
          </DoButton>
        )}
      </div>
      <OutcomeStrip outcome={outcome} />
    </div>
  );
}

function Health({ mailbox }: { mailbox: Mailbox }) {
  const { coverage, subscription, lastAudit } = mailbox;
  return (
    <Card title="Health">
      <KeyValues
        rows={[
          ["State", <MailboxState status={mailbox.status} />],
          ["Delivery", `${deliveryOf(mailbox)}, ${mailbox.deliveryReason}`],
          [
            "Seen by push",
            coverage?.pushCoverage == null
              ? null
              : `${Math.floor(coverage.pushCoverage * 100)} % of ${formatCount(coverage.events)} in 24 h`,
          ],
          [
            "Lag",
            coverage?.medianSeconds == null
              ? null
              : `${formatSeconds(coverage.medianSeconds)} s (99th percentile ${formatSeconds(coverage.p99Seconds ?? 0)} s)`,
          ],
          ["Last event", <Ago at={mailbox.lastEventAt} />],
          ["Last read", <Ago at={mailbox.lastDeltaAt} />],
          [
            "Last audit",
            lastAudit === null ? (
              "none yet"
            ) : (
              <>
                {lastAudit.findings === 0
                  ? "no differences"
                  : plural(lastAudit.findings, "difference")}
                , <Ago at={mailbox.lastAuditAt} />
              </>
            ),
          ],
          [
            "Contract notes",
            mailbox.ingestFolder === null ? "not ingested" : `from ${mailbox.ingestFolder}`,
          ],
          [
            "Subscription",
            subscription ? (
              <IdChip id={subscription.subscriptionId} label="subscription id" />
            ) : null,
          ],
          ["Expires", <Ago at={subscription?.expiresAt} />],
        ]}
      />
    </Card>
  );
}

function FolderState({ folder }: { folder: Folder }) {
  if (folder.isExcluded) return <State tone="waiting">Excluded</State>;
  if (folder.isWalking) return <State tone="waiting">Reading from the start</State>;
  return folder.hasCursor ? (
    <State tone="ok">Up to date</State>
  ) : (
    <State tone="unknown">Not read yet</State>
  );
}

const FOLDER_COLUMNS: readonly Column<Folder>[] = [
  { key: "name", head: "Folder", cell: ({ displayName }) => displayName },
  { key: "state", head: "State", width: 120, cell: (folder) => <FolderState folder={folder} /> },
  {
    key: "resets",
    head: "Resets",
    width: 72,
    align: "right",
    from: 560,
    cell: ({ resets }) => formatCount(resets),
  },
  {
    key: "read",
    head: "Last read",
    width: 112,
    align: "right",
    cell: ({ lastDeltaAt }) => <Ago at={lastDeltaAt} />,
  },
];
