import { toFault } from "../../lib/fault.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";

interface FolderPage {
  readonly value: readonly { readonly displayName?: string }[];
  readonly "@odata.nextLink"?: string;
}

/** Whether the mailbox has a folder with this ID, well-known name or display name, at any depth. */
export async function hasFolder(
  graph: GraphClient,
  userId: string,
  name: string,
): Promise<boolean> {
  const folders = `/users/${userId}/mailFolders`;
  try {
    await graph.call({ path: `${folders}/${encodeURIComponent(name)}?$select=id` });
    return true;
  } catch (error) {
    // Graph refuses a display name as a malformed id.
    if (!["graph.not-found", "graph.rejected"].includes(toFault(error).code)) throw error;
  }
  let path: string | undefined = `${folders}/delta?$select=displayName`;
  while (path !== undefined) {
    const page: FolderPage = await graph.call<FolderPage>({ path });
    if (page.value.some((folder) => folder.displayName === name)) return true;
    path = page["@odata.nextLink"];
  }
  return false;
}
