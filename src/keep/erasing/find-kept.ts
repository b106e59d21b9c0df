/** What an erasure keeps, each thing with its reason. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { type ErasedRow, toKept } from "./erased-row.ts";
import type { Scope } from "./scope.ts";

const IS_OF_OTHERS = "it also reports a trade of somebody else";

export function keptTrades({ trades, notes }: Scope): ErasedRow[] {
  const held = (
    place: string,
    all: readonly { readonly id: string; readonly hold: string | null }[],
  ) =>
    all.flatMap(({ id, hold }) =>
      hold === null ? [] : [toKept(place, id, `legal hold: ${hold}`)],
    );
  const ofOthers = notes.filter(({ hold, isOfOthers }) => hold === null && isOfOthers);
  return [
    ...held("trade", trades),
    ...held("note", notes),
    ...ofOthers.map(({ id }) => toKept("note", id, IS_OF_OTHERS)),
  ];
}

/** Besides trades and notes, if the person is held. */
export async function findKeptOfPerson(tx: Transaction, scope: Scope): Promise<ErasedRow[]> {
  const { address, ids, names, mailboxes, hold } = scope;
  return findKept(
    tx,
    `SELECT place, item, 'legal hold: ' || $5 AS reason FROM (
       SELECT 'mailbox' AS place, address AS item FROM postroom.mailbox WHERE id = ANY($3)
       UNION ALL
       SELECT 'order', reference FROM postroom.trade_order WHERE lower(user_email) = $1 OR username = ANY($4)
       UNION ALL
       SELECT 'document in the index', document_id::text FROM postroom.indexed_document
        WHERE $1 IN (lower(sender), lower(mailbox))
       UNION ALL
       SELECT 'analysis', id::text FROM postroom.analysis WHERE person_id = ANY($2)
       UNION ALL
       SELECT 'row about filed mail', id::text FROM postroom.filing WHERE strpos(lower(columns::text), $1) > 0
       UNION ALL
       SELECT 'person', $1) kept`,
    [address, ids, mailboxes, names, hold],
  );
}

/** What has to do with the erased person and also with somebody who is held, or with a message that is held. */
export async function findKeptBeside(tx: Transaction, scope: Scope): Promise<ErasedRow[]> {
  const { address, ids, mailboxes, heldPeople, heldMessages } = scope;
  return findKept(
    tx,
    `WITH held_person AS (SELECT * FROM unnest($4::text[], $5::text[]) AS h (address, reason)),
          held_message AS (SELECT * FROM unnest($6::text[], $7::text[]) AS h (message_id, reason))
     SELECT 'event' AS place, e.seq::text AS item, 'legal hold: ' || coalesce(m.reason, p.reason) AS reason
       FROM postroom.event e LEFT JOIN held_message m ON m.message_id = e.message_id
            LEFT JOIN held_person p ON p.address = lower(e.sender_email)
      WHERE (e.user_id = ANY($2) OR e.mailbox = ANY($3) OR lower(e.sender_email) = $1)
        AND coalesce(m.reason, p.reason) IS NOT NULL
     UNION ALL
     SELECT 'document in the index', d.document_id::text, 'legal hold: ' || p.reason
       FROM postroom.indexed_document d JOIN held_person p ON p.address IN (lower(d.sender), lower(d.mailbox))
      WHERE $1 IN (lower(d.sender), lower(d.mailbox))
     UNION ALL
     SELECT 'row about filed mail', f.id::text, 'legal hold: ' || p.reason
       FROM postroom.filing f JOIN held_person p ON strpos(lower(f.columns::text), p.address) > 0
      WHERE strpos(lower(f.columns::text), $1) > 0`,
    [
      address,
      ids,
      mailboxes,
      [...heldPeople.keys()],
      [...heldPeople.values()],
      [...heldMessages.keys()],
      [...heldMessages.values()],
    ],
  );
}

/** After trades and people were erased. */
export async function findKeptOfTrades(tx: Transaction, scope: Scope): Promise<ErasedRow[]> {
  return findKept(
    tx,
    `SELECT 'order' AS place, reference AS item, 'a trade that is kept fulfils it' AS reason
       FROM postroom.trade_order WHERE lower(user_email) = $1 OR username = ANY($2)
     UNION ALL
     SELECT DISTINCT 'person', email, 'a trade that is kept is theirs' FROM postroom.person WHERE email = $1`,
    [scope.address, scope.names],
  );
}

async function findKept(
  on: Queryable,
  sql: string,
  values: readonly unknown[] = [],
): Promise<ErasedRow[]> {
  const { rows } = await on.query<{ place: string; item: string; reason: string }>(sql, values);
  return rows.map(({ place, item, reason }) => toKept(place, item, reason));
}
