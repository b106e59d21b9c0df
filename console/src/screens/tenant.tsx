/** The local tenant: send mail, make things fail, and watch how Postroom reacts. */
import { advanceClock, type TenantState, useTenant } from "../data/tenant.ts";
import { Card } from "../design/card.tsx";
import { Loading } from "../design/feedback.tsx";
import { formatExact } from "../design/format.ts";
import { DoButton, OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { Faults } from "./tenant/faults.tsx";
import { Scenarios } from "./tenant/scenarios.tsx";
import { SendMail } from "./tenant/send-mail.tsx";

export function TenantPage() {
  const { data, error, refetch } = useTenant();
  return (
    <PageFrame title="Tenant" note="The Microsoft tenant on this machine">
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <SendMail mailboxes={data.mailboxes} />
            <Clock clock={data.clock} />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <Scenarios scenarios={data.scenarios} />
            <Faults faults={data.faults} kinds={data.faultKinds} />
          </div>
        </div>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the tenant" rows={12} />
      )}
    </PageFrame>
  );
}

const STEPS = [
  ["1h", "Forward one hour"],
  ["1d", "Forward one day"],
  ["3d", "Forward three days"],
] as const;

function Clock({ clock }: { clock: TenantState["clock"] }) {
  const { outcome, run } = useOutcome();
  return (
    <Card title="Clock">
      <OutcomeStrip outcome={outcome} />
      <div className="p-4">
        <p className="tabular mb-2">{formatExact(new Date(clock.now))}</p>
        {clock.isVirtual ? (
          <div className="flex flex-wrap gap-2">
            {STEPS.map(([by, text]) => (
              <DoButton
                key={by}
                outcome={outcome}
                onDo={() =>
                  void run(async () => {
                    const { now } = await advanceClock(by);
                    return `The tenant's clock now shows ${formatExact(new Date(now))}.`;
                  })
                }
              >
                {text}
              </DoButton>
            ))}
          </div>
        ) : (
          <p className="text-text-2">
            This tenant runs in real time. To move its clock, start it with --virtual-clock.
          </p>
        )}
      </div>
    </Card>
  );
}
