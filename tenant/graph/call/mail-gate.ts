/** Guards a mailbox: enforces its limits, and applies faults that delay its calls. */
import type { TenantContext } from "../../context.ts";
import type { TenantResponse } from "../../http.ts";
import type { GraphCall } from "./graph-call.ts";
import { findUser } from "./graph-call.ts";
import { GraphProblem } from "./graph-error.ts";
import { graphSwitch } from "./graph-switches.ts";
import type { Throttle } from "./throttle.ts";

export interface MailGate {
  pass(
    call: GraphCall,
    answer: () => TenantResponse | Promise<TenantResponse>,
  ): Promise<TenantResponse>;
}

const WRITES = new Set(["POST", "PUT", "PATCH"]);

export function createMailGate(context: TenantContext, throttle: Throttle): MailGate {
  const { clock, faults, switches } = context;

  const wait = (delayMs: number) =>
    new Promise<void>((resolve) => void clock.after(delayMs, resolve));

  const latencyMs = () => {
    const isUnset = switches["mailboxLatencyMs"] === undefined;
    if (isUnset && (clock.isVirtual || !switches.throttling)) return 0;
    return graphSwitch(switches, "mailboxLatencyMs");
  };

  return {
    async pass(call, answer) {
      const { method, path, body } = call.request;
      const userId = findUser(context, call.params["user"]!)?.id ?? "";
      const leave = throttle.enterMailbox(
        call.caller.appId,
        userId,
        WRITES.has(method) ? body.length : 0,
      );
      try {
        const facts = { mailbox: userId, method, path };
        if (faults.list().length > 0 && faults.strike("not-found-once", facts) !== null) {
          throw new GraphProblem(
            404,
            "ErrorItemNotFound",
            "The specified object was not found in the store.",
          );
        }
        // Waiting comes first, so that calls that arrive together overlap, however fast each is answered.
        const delayMs = latencyMs();
        if (delayMs > 0) await wait(delayMs);
        const response = await answer();
        const held = faults.list().length === 0 ? null : faults.strike("hold", facts);
        if (held !== null) await wait(Number(held.options["delayMs"] ?? 1000));
        return response;
      } finally {
        leave();
      }
    },
  };
}
