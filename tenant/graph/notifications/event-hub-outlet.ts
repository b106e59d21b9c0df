/** Notifications that go to an event hub instead of an HTTP endpoint. */
import type { TenantContext } from "../../context.ts";

export interface EventHubOutlet {
  /** Puts one message into the hub that a notification URL names. */
  put(url: string, body: object): void;
  /** Puts the first message into a hub, which replaces the handshake. */
  greet(url: string, requestId: string): void;
  /** What a hub has received, oldest first. */
  received(url: string): object[];
  state(): readonly [string, object[]][];
  restore(state: readonly [string, object[]][]): void;
}

export function createEventHubOutlet(context: TenantContext): EventHubOutlet {
  const hubs = new Map<string, object[]>();
  const put = (url: string, body: object) => {
    const name = /\/eventhubname\/([^?]+)/i.exec(url)?.[1];
    if (name !== undefined) context.publish?.(name, JSON.stringify(body));
    const hub = hubs.get(url);
    if (hub) hub.push(body);
    else hubs.set(url, [body]);
  };
  return {
    put,
    greet: (url, requestId) => put(url, { value: [greeting(requestId)] }),
    received: (url) => hubs.get(url) ?? [],
    state: () => [...hubs],
    restore(state) {
      hubs.clear();
      for (const [url, list] of state) hubs.set(url, list);
    },
  };
}

const greeting = (requestId: string) => ({
  subscriptionId: "NA",
  subscriptionExpirationDateTime: "NA",
  clientState: "NA",
  changeType: `Validation: Testing client application reachability for subscription Request-Id: ${requestId}`,
  resource: "NA",
  resourceData: null,
  tenantId: "NA",
});
