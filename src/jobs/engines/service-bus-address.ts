/** Where a Service Bus namespace is, and how we prove who we are: by a key or by the identity of this machine. */
import { type AzureCredential, openAzureCredential } from "../../lib/azure-credential.ts";

export interface ServiceBusAddress {
  /** The name of the namespace if there is a credential. */
  readonly connectionString: string;
  readonly credential: AzureCredential | null;
}

export async function openServiceBusAddress(
  text: string,
  authorityOrigin: string,
): Promise<ServiceBusAddress> {
  const namespace = namespaceWithoutKey(text);
  if (namespace === null) return { connectionString: text, credential: null };
  const credential = await openAzureCredential("Service Bus without a key", authorityOrigin);
  return { connectionString: namespace, credential };
}

/**
 * The namespace of `name.servicebus.windows.net`, or of a connection string without a key, such as
 * `Endpoint=sb://name.servicebus.windows.net/;Authentication=Managed Identity`; null if there is a key.
 */
export function namespaceWithoutKey(text: string): string | null {
  if (/^[\w.-]+(?::\d+)?$/.test(text)) return text;
  if (/(?:^|;)\s*SharedAccess(?:Key|Signature)=/i.test(text)) return null;
  return /(?:^|;)\s*Endpoint=sb:\/\/([\w.-]+(?::\d+)?)\/?\s*(?:;|$)/i.exec(text)?.[1] ?? null;
}
