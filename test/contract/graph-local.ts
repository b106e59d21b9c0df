import type { OutgoingAnswer, OutgoingRequest } from "../../tenant/context.ts";
import { createTenant } from "../../tenant/index.ts";
import type { Behaviour, GraphTarget, ReceivedRequest, Receiver } from "./graph-target.ts";

export interface LocalGraph {
  readonly target: GraphTarget;
  close(): Promise<void>;
}

/** The local tenant on a virtual clock, with a receiver that lives in the test. */
export async function openLocalGraph(switches: Record<string, unknown> = {}): Promise<LocalGraph> {
  const receiver = createReceiver(() => tenant.clock.now());
  const tenant = await createTenant({
    clock: "virtual",
    company: "none",
    serviceBus: false,
    switches: { tokenLifetimeSeconds: 30 * 86_400, ...switches },
    send: receiver.send,
  });
  const mailbox = tenant.users[1]!.id;
  const token = tenant.tokenFor({});
  return {
    target: {
      graph: tenant.addresses.graph,
      token: async () => token,
      mailbox,
      receiver,
      pass: (ms) => tenant.clock.advance(ms),
      now: () => tenant.clock.now(),
      arm: (fault) => void tenant.faults.arm(fault),
      async deliver(mail) {
        const [sent] = await tenant.graph.admin.sendMail({ to: mailbox, ...mail });
        return sent!;
      },
      fill: (folder, count) =>
        tenant.graph.admin.addLazyMailbox(mailbox, folder, count, (index) => ({
          subject: `filled ${index}`,
          receivedAt: Date.UTC(2025, 0, 1) + index * 1000,
        })),
      journal: () => tenant.journal.entries().map((entry) => entry.kind),
    },
    close: () => tenant.close(),
  };
}

type LocalReceiver = Receiver & { send(request: OutgoingRequest): Promise<OutgoingAnswer> };

function createReceiver(now: () => number): LocalReceiver {
  const requests: ReceivedRequest[] = [];
  let behaviour: Behaviour | null = null;
  return {
    url: "https://receiver.example/hook",
    requests,
    behave(next) {
      behaviour = next;
    },
    async send({ url, body, headers }) {
      const request = { url, body, contentType: headers["content-type"] ?? "", atMs: now() };
      requests.push(request);
      const answer = (behaviour ?? behaveWell)(request);
      return {
        status: answer.status ?? 202,
        headers: { "content-type": answer.contentType ?? "text/plain" },
        body: answer.body ?? "",
        tookMs: answer.tookMs ?? 5,
      };
    },
  };
}

export const behaveWell: Behaviour = ({ url }) => {
  const token = new URL(url).searchParams.get("validationToken");
  return token === null ? { status: 202 } : { status: 200, body: token };
};
