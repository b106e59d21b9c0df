/**
 * Erases the rows of one person that no legal hold keeps. The files of this folder write tables of every other part: a
 * person's data must go at once, in the order that the keys between the tables dictate, and a place that one forgets is a
 * place that is not erased. A test compares them with the tables that there are.
 */
import type { Transaction } from "../../store/database.ts";
import { eraseDocuments, findIndexed } from "./erase-documents.ts";
import { eraseEvents, eraseMailboxes, redactShared } from "./erase-mail.ts";
import { eraseRest } from "./erase-rest.ts";
import {
  eraseFiles,
  eraseJournals,
  eraseOrders,
  eraseTrades,
  leaveOutWhatIsKept,
} from "./erase-trades.ts";
import {
  findKeptActions,
  findKeptBeside,
  findKeptOfPerson,
  findKeptOfTrades,
  findKeptTrades,
} from "./find-kept.ts";
import { collectScope, type ErasedPerson, type ErasedRow } from "./scope.ts";

export async function eraseRows(
  tx: Transaction,
  person: ErasedPerson,
  shared: { readonly table: string; readonly pathsColumn: string },
): Promise<ErasedRow[]> {
  const scope = await collectScope(tx, person);
  const kept = await findKeptTrades(tx);
  if (scope.hold !== null) return [...kept, ...(await findKeptOfPerson(tx, scope))];
  kept.push(...(await findKeptBeside(tx, scope)));
  await leaveOutWhatIsKept(tx);
  return [
    ...kept,
    ...(await eraseTrades(tx)),
    ...(await eraseFiles(tx)),
    ...(await eraseJournals(tx, scope, shared.table)),
    ...(await eraseOrders(tx, scope)),
    ...(await redactShared(tx, scope, shared.table, shared.pathsColumn)),
    ...(await eraseEvents(tx, scope)),
    ...(await findIndexed(tx, scope)),
    ...(await eraseDocuments(tx, scope)),
    ...(await eraseRest(tx, scope)),
    // The mailbox is among the last: other rows are found by it.
    ...(await eraseMailboxes(tx, scope)),
    ...(await findKeptOfTrades(tx, scope)),
    ...(await findKeptActions(tx, scope)),
  ];
}
