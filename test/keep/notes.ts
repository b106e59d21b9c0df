/** Mail with contract notes of one person, and what becomes of it. */
import { expect } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { type TestApp, until } from "../helpers/app.ts";

export const NINA = "nina.berg@ashdown.example";

export async function call<T>(
  app: TestApp,
  method: "GET" | "POST" | "DELETE",
  url: string,
  payload?: object,
): Promise<T> {
  const answer = await app.server.inject({
    ...{ method, url, headers: { authorization: `Bearer ${app.operatorKey}` } },
    ...(payload === undefined ? {} : { payload }),
  });
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
  return answer.json() as T;
}

/** Nina's notes may be booked without a question. */
export async function trustNina(app: TestApp): Promise<void> {
  await call(app, "POST", "/api/people/import", { csv: `email,name\n${NINA},Nina Berg\n` });
  await call(app, "POST", "/api/senders", { sender: NINA });
}

export const sendNote = async (
  tenant: Tenant,
  to: string,
  given: { readonly seed: string; readonly subject: string; readonly name: string },
): Promise<Buffer> => {
  const { pdf } = await makeNote({ seed: given.seed, kind: "buy", language: "en" });
  const attachments = [{ name: given.name, bytes: pdf }];
  await tenant.graph.admin.sendMail({ to, from: NINA, subject: given.subject, attachments });
  return Buffer.from(pdf);
};

export interface TradeRow {
  readonly id: string;
  readonly documents: readonly { readonly documentId: string }[];
}

export const tradesOf = async (app: TestApp): Promise<TradeRow[]> =>
  (await call<{ trades: TradeRow[] }>(app, "GET", "/api/trades")).trades;

export const untilTrades = (app: TestApp, count: number): Promise<TradeRow[]> =>
  until(`${count} trades`, async () => {
    const trades = await tradesOf(app);
    return trades.length >= count && trades;
  });
