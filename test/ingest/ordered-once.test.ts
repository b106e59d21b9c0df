/** Work that an operator orders with an idempotency key: there is no moment at which only the work is stored. */
import { beforeAll, expect, it } from "vitest";
import { answerOf } from "../../src/client/index.ts";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp } from "../helpers/app.ts";
import { clientFor } from "../helpers/client.ts";

let tenant: Tenant;
let app: TestApp;
let mailbox: string;

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, {}, { roles: ["api"] });
  const { id, mail } = tenant.users[1]!;
  mailbox = mail;
  await upsertMailbox(app.database, {
    ...{ address: mail, graphUserId: id, ownerId: id, ingestFolder: "Inbox" },
  });
});

const orders: Record<string, (key: string) => Promise<object>> = {
  "an ingestion": (key) =>
    answerOf(
      clientFor(app).POST("/api/ingest/mails", {
        body: { mailbox, messageId: "a-message" },
        headers: { "idempotency-key": key },
      }),
    ),
  "a backfill": (key) =>
    answerOf(
      clientFor(app).POST("/api/ingest/backfill", {
        body: { mailbox, since: "2026-01-01" },
        headers: { "idempotency-key": key },
      }),
    ),
};

it.each(Object.keys(orders))(
  "%s is committed together with the answer for its key, which answers again",
  async (name) => {
    const first = await orders[name]!(name.replace(" ", "-"));
    const { jobId } = first as { jobId: string };
    // Both rows carry the number of the transaction that wrote them.
    const { rows } = await app.database.query(
      `SELECT k.status, k.body::json ->> 'jobId' AS "jobId"
         FROM postroom.kept_answer k JOIN postroom.job j ON j.xmin = k.xmin WHERE j.id = $1`,
      [jobId],
    );
    expect(rows).toEqual([{ status: 202, jobId }]);
    expect(await orders[name]!(name.replace(" ", "-"))).toEqual(first);
  },
);
