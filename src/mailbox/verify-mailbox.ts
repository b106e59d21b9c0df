import { toFault } from "../lib/fault.ts";
import type { Connections } from "./connections.ts";
import { explainRefusal, isGuest } from "./explain-refusal.ts";

export type Verification =
  | { readonly isReadable: true; readonly graphUserId: string; readonly address: string }
  | {
      readonly isReadable: false;
      readonly reason: string;
      /** Graph knows no such mailbox. */
      readonly isUnknown: boolean;
    };

/** Checks whether this mailbox can be watched and, if not, says why. Throws if Graph does not answer. */
export async function verifyMailbox(
  connections: Connections,
  connection: string,
  address: string,
): Promise<Verification> {
  const refuse = (reason: string, isUnknown = false): Verification => ({
    isReadable: false,
    reason,
    isUnknown,
  });
  if (isGuest(address))
    return refuse("it is a guest of this tenant; its mailbox is in its home tenant");
  const graph = connections.graph(connection);
  try {
    const person = await connections.personOf(connection);
    const user = await graph.call<{ id: string; userPrincipalName: string; mail: string | null }>({
      path: `/users/${encodeURIComponent(person ?? address)}?$select=id,userPrincipalName,mail`,
    });
    if (isGuest(user.userPrincipalName))
      return refuse("it is a guest of this tenant; its mailbox is in its home tenant");
    const names = [user.id, user.userPrincipalName, user.mail ?? ""];
    if (person !== null && !names.some((name) => name.toLowerCase() === address.toLowerCase()))
      return refuse(
        `the connection "${connection}" acts for one person and would never be notified of another's mail; use a connection with application permissions`,
      );
    await graph.call({
      mailbox: address.toLowerCase(),
      path: `/users/${user.id}/mailFolders/inbox?$select=id`,
    });
    return { isReadable: true, graphUserId: user.id, address: user.mail ?? user.userPrincipalName };
  } catch (error) {
    // An outage says nothing about the mailbox.
    const { code, remedy } = toFault(error);
    if (remedy === "retry" || remedy === "wait") throw error;
    return refuse(explainRefusal(error), code === "graph.not-found");
  }
}
