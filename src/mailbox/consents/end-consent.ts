/** A consent that Entra refuses: its mailbox says so, its owner gets one notice, and other mailboxes are not affected. */
import type { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { endingOf } from "../consent.ts";
import { endConsent } from "../consent-table.ts";
import { setConnectionUnreachable } from "../mailbox-table.ts";
import { addNotice } from "./notice-table.ts";

export async function noteRefusal(
  { database, log }: { readonly database: Database; readonly log: Log },
  connection: string,
  fault: Fault,
): Promise<void> {
  const ending = endingOf(fault);
  if (ending === null) return;
  const ended = await database.transaction(async (tx) => {
    const consent = await endConsent(tx, connection, ending);
    if (consent === null) return null;
    const text = `Postroom no longer reads ${consent.address}: ${ending.reason}. Connect the mailbox again to continue.`;
    await setConnectionUnreachable(
      tx,
      connection,
      `${ending.reason}; its owner must connect it again`,
    );
    await addNotice(tx, consent.personId, text);
    return consent;
  });
  if (ended !== null)
    log.warn({ mailbox: ended.address, state: ending.state }, "a person's consent has ended");
}
