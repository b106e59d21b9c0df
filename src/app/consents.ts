import { CONNECTED_PATH } from "../api/mailboxes/connected-page.ts";
import type { ConnectNeeds } from "../mailbox/consents/connect-person.ts";
import type { Foundation } from "./foundation.ts";
import type { Watching } from "./watching.ts";

/** Entra sends people back to our public address, or to this machine if there is none. */
export function toConnectNeeds(base: Foundation, watching: Watching): ConnectNeeds {
  const { database, random, seal, connections, config } = base;
  const { subscriptions, readNow } = watching;
  const origin = new URL(config.webhookUrl ?? `http://localhost:${config.port}`).origin;
  return {
    database,
    random,
    seal,
    connections,
    subscriptions,
    readNow,
    settings: config.connections,
    redirectUri: `${origin}${CONNECTED_PATH}`,
  };
}
