/** What the links of the AMQP side share. */
import type { Sender } from "rhea";
import type { TenantContext } from "../../context.ts";
import type { Hub } from "../hub/hub.ts";
import type { Broker } from "../queue/broker.ts";
import type { Claims } from "./claims.ts";

export interface AmqpWorld {
  readonly context: TenantContext;
  readonly broker: Broker;
  /** The one event hub of the namespace. */
  readonly hub: Hub;
  readonly claims: Claims;
}

export interface AmqpError {
  readonly condition: string;
  readonly description: string;
}

/** What is known about one connection. */
export interface Peer {
  /** Entity paths for which a token was accepted. */
  readonly granted: Set<string>;
  /** Where responses go: maps a reply-to address or link name to a link. */
  readonly replies: Map<string, Sender>;
  /** What to do when a link ends, however it ends. */
  readonly endings: Map<Sender, () => void>;
}
