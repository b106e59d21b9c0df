import type { Queryable } from "../../store/database.ts";
import { findKnownPeople } from "../senders/person-table.ts";
import { findApprovedSenders } from "../senders/sender-table.ts";
import { type SentDocument, trustSender } from "../senders/trust-sender.ts";
import type { TradeFacts } from "../trade.ts";
import type { TraderMatch } from "./match-trader.ts";
import { traderOf } from "./route-trade-line.ts";

/** Finds whose trade it is, from what is known now. */
export async function findTrader(
  on: Queryable,
  firm: { readonly firmDomains: readonly string[]; readonly today: string },
  document: SentDocument,
  facts: TradeFacts,
): Promise<TraderMatch> {
  const { firmDomains, today } = firm;
  const people = await findKnownPeople(on);
  const approvals = await findApprovedSenders(on);
  const trust = trustSender({ document, people, approvals, firmDomains, today });
  return traderOf({ document, firmDomains, people, trust }, facts);
}
