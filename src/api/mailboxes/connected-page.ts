/** Where Entra sends a person back to. It has no caller: the state in the address is the proof. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { toFault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import { type ConnectNeeds, endConnect } from "../../mailbox/consents/connect-person.ts";

export const CONNECTED_PATH = "/mailbox-connected";

const Answer = z.object({
  state: z.string().min(20).max(200),
  code: z.string().min(1).max(8_000).optional(),
  error: z.string().max(200).optional(),
});

export function registerConnectedPage(
  app: FastifyInstance,
  needs: ConnectNeeds & { readonly log: Log },
): void {
  app.get(CONNECTED_PATH, async (request, reply) => {
    const text = await answer(needs, request.query);
    return reply
      .code(text.isDone ? 200 : 400)
      .headers({
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      })
      .type("text/html; charset=utf-8")
      .send(toPage(text.says));
  });
}

async function answer(needs: ConnectNeeds & { readonly log: Log }, query: unknown) {
  const given = Answer.safeParse(query);
  if (!given.success) return { isDone: false, says: "This address is incomplete. Begin again." };
  const { state, code } = given.data;
  if (code === undefined)
    return { isDone: false, says: "The sign-in was not completed, and nothing was connected." };
  try {
    const connected = await endConnect(needs, { state, code });
    if (connected.refused !== null)
      return { isDone: false, says: `Not connected: ${connected.refused}.` };
    needs.log.info({ mailbox: connected.address }, "a person connected their mailbox");
    return { isDone: true, says: `${connected.address} is connected. You can close this page.` };
  } catch (error) {
    needs.log.warn({ err: error }, "a mailbox was not connected");
    return { isDone: false, says: `Not connected: ${toFault(error).message}.` };
  }
}

const toPage = (text: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Postroom</title></head><body><p>${toSafeText(text)}</p></body></html>\n`;

const toSafeText = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
