/** Where Entra sends a person back to. It has no caller: the state in the address is the proof. */
import { createHash } from "node:crypto";
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
        "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      })
      .type("text/html; charset=utf-8")
      .send(toPage(text));
  });
}

async function answer(needs: ConnectNeeds & { readonly log: Log }, query: unknown) {
  const answer = Answer.safeParse(query);
  if (!answer.success) return { isDone: false, says: "This address is incomplete. Begin again." };
  const { state, code } = answer.data;
  if (code === undefined)
    return { isDone: false, says: "The sign-in was not completed, and nothing was connected." };
  try {
    const connected = await endConnect(needs, { state, code });
    if (connected.refused !== null)
      return { isDone: false, says: `Not connected: ${connected.refused}.` };
    needs.log.info({ mailbox: connected.address }, "a person connected their mailbox");
    return { isDone: true, says: `${connected.address} is connected.` };
  } catch (error) {
    needs.log.warn({ err: error }, "a mailbox was not connected");
    return { isDone: false, says: `Not connected: ${toFault(error).message}.` };
  }
}

const STYLE =
  ":root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:15px/1.5 system-ui,sans-serif}main{max-width:28rem;margin:1rem;padding:1.5rem 2rem;border:1px solid #8886;border-radius:8px}small{font-weight:600}h1{font-size:1.25rem;line-height:1.4;overflow-wrap:anywhere;text-wrap:balance}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const toPage = ({ isDone, says }: { isDone: boolean; says: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">\
<meta name="viewport" content="width=device-width"><title>Postroom</title><style>${STYLE}</style></head>\
<body><main><small>Postroom</small><h1>${toSafeText(says)}</h1><p>You can close this page, or \
<a href="/my-mailbox">${isDone ? "see your mailbox in Postroom" : "begin again in Postroom"}</a>.</p></main></body></html>\n`;

const toSafeText = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
