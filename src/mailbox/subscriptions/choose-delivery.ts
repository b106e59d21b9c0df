/**
 * Chooses how each mailbox's changes reach us: push while notifications arrive, poll while they are silent,
 * and push again once they come back.
 */
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Queryable } from "../../store/database.ts";
import { type DeliverySigns, findDeliverySigns } from "../events/event-statistics.ts";
import { type Mailbox, setMailboxDelivery } from "../mailbox-table.ts";

/** This many events found by reading and none by push within the window means silence. */
const RESCUED_MIN = 3;
const WINDOW_MS = 60 * 60 * 1_000;

export function chooseDelivery(
  mailbox: Pick<Mailbox, "delivery" | "deliveryReason">,
  signs: DeliverySigns,
): { delivery: Mailbox["delivery"]; reason: string } {
  if (!signs.isSubscribed) {
    const reason =
      mailbox.delivery === "delta" ? mailbox.deliveryReason : "there is no active subscription";
    return { delivery: "delta", reason };
  }
  const isSilent = signs.byPush === 0 && !signs.isNotified;
  if (isSilent && signs.rescued >= RESCUED_MIN) {
    const last =
      signs.lastPushAt === null
        ? "no notification has ever arrived"
        : `the last notification arrived at ${signs.lastPushAt.toISOString()}`;
    return {
      delivery: "poll",
      reason: `notifications are silent: ${signs.rescued} changes were found by reading, and ${last}`,
    };
  }
  if (mailbox.delivery === "poll" && isSilent)
    return { delivery: "poll", reason: mailbox.deliveryReason };
  return { delivery: "push", reason: "subscribed" };
}

export async function reviewDelivery(
  needs: { database: Queryable; clock: Clock; log: Log },
  mailbox: Mailbox,
): Promise<void> {
  const since = new Date(needs.clock.now() - WINDOW_MS);
  const signs = await findDeliverySigns(needs.database, mailbox.id, since);
  const { delivery, reason } = chooseDelivery(mailbox, signs);
  if (delivery === mailbox.delivery && reason === mailbox.deliveryReason) return;
  await setMailboxDelivery(needs.database, mailbox.id, delivery, reason);
  if (delivery !== mailbox.delivery) {
    needs.log[delivery === "poll" ? "warn" : "info"](
      { mailbox: mailbox.address, delivery, reason },
      "the way mail reaches us has changed",
    );
  }
}
