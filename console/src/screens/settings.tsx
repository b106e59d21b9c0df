/** The doctor's checks, failed ones first, each with its fix. */
import { useState } from "react";
import { type Finding, useDoctor } from "../data/books.ts";
import { Button } from "../design/button.tsx";
import { Card } from "../design/card.tsx";
import { Loading } from "../design/feedback.tsx";
import { formatCount, plural } from "../design/format.ts";
import { capital } from "../design/reason.ts";
import { StateIcon, type Tone } from "../design/state.tsx";
import { ThemeChoice } from "../shell/account-dialog.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";

const TONES: Readonly<Record<Finding["status"], Tone>> = {
  ok: "ok",
  warning: "attention",
  failed: "failed",
};
const WORDS = { ok: "OK", warning: "Attention", failed: "Failed" } as const;
const RANK = { failed: 0, warning: 1, ok: 2 } as const;

export function Settings() {
  const { data, error, refetch, isFetching } = useDoctor();
  return (
    <PageFrame
      title="Settings"
      actions={
        <Button size="small" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? "Checking" : "Check again"}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {data && <h2 className="text-verdict font-semibold">{verdictOf(data)}</h2>}
        <Card title="Checks" count={data?.length}>
          {data ? (
            <ul>
              {[...data]
                .sort((a, b) => RANK[a.status] - RANK[b.status])
                .map((finding) => (
                  <FindingRow key={finding.name} finding={finding} />
                ))}
            </ul>
          ) : error ? (
            <Failure error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading what="the doctor's checks" rows={10} />
          )}
        </Card>
        <Card title="This browser">
          <div className="flex items-center gap-4 p-4">
            <span className="text-text-2">Theme</span>
            <ThemeChoice />
          </div>
        </Card>
      </div>
    </PageFrame>
  );
}

function verdictOf(findings: readonly Finding[]): string {
  const count = (wanted: Finding["status"]) =>
    findings.filter(({ status }) => status === wanted).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  const needs = `${formatCount(warnings)} ${warnings === 1 ? "needs" : "need"} attention`;
  if (failed > 0) return `${plural(failed, "check")} failed${warnings > 0 ? `, ${needs}` : ""}.`;
  return warnings === 0 ? "Every check passed." : `No check failed, ${needs}.`;
}

function FindingRow({ finding: { name, status, detail, fix } }: { finding: Finding }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-border border-b px-4 py-2.5 last:border-b-0 sm:flex-nowrap">
      <span className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <span className="mt-0.5">
          <StateIcon tone={TONES[status]} label={WORDS[status]} />
        </span>
        <span className="min-w-0 flex-1 break-words">
          <b className="font-medium">{capital(name)}</b>{" "}
          <span className="text-text-2">{detail}</span>
          {fix !== undefined && (
            <code className="mt-1 block whitespace-pre-wrap break-words rounded-control bg-sunken p-2 font-mono text-label">
              {fix}
            </code>
          )}
        </span>
      </span>
      {fix !== undefined && (
        <Button
          size="small"
          icon="copy"
          onClick={() => void navigator.clipboard.writeText(fix).then(() => setCopied(true))}
        >
          {isCopied ? "Copied" : "Copy fix"}
        </Button>
      )}
    </li>
  );
}
