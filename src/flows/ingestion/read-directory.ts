/** Imports the people of the firm from the tenant's directory, if the app may read it. */
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import type { Database } from "../../store/database.ts";
import { type Person, replacePeople } from "../../trades/senders/person-table.ts";
import { usernameOf } from "../../trades/trade.ts";

/** The first read comes a minute after the start; a failed one is repeated a minute later. */
export const DIRECTORY_LOOK_MS = 60_000;
const DIRECTORY_EVERY_MS = 3_600_000;

export interface DirectoryNeeds {
  readonly database: Database;
  readonly log: Log;
  /** One client for each tenant. */
  readonly directories: readonly GraphClient[];
}

interface User {
  readonly mail: string | null;
  readonly displayName: string | null;
  readonly userType?: string | null;
  readonly accountEnabled?: boolean | null;
}

interface Page {
  readonly value: readonly User[];
  readonly "@odata.nextLink"?: string;
}

/** Graph returns at most 999 users per page. */
const FIRST_PAGE = "/users?$select=mail,displayName,userType,accountEnabled&$top=999";

/** Call it every `DIRECTORY_LOOK_MS`; it reads the directory once an hour. */
export function createDirectoryReader(needs: DirectoryNeeds & { readonly clock: Clock }) {
  let nextAtMs = 0;
  return async (): Promise<void> => {
    if (needs.clock.now() < nextAtMs) return;
    await readDirectory(needs);
    nextAtMs = needs.clock.now() + DIRECTORY_EVERY_MS;
  };
}

/**
 * Replaces the people known from the directory. Returns how many there are; null if no directory may be read.
 */
export async function readDirectory(needs: DirectoryNeeds): Promise<number | null> {
  const people: Person[] = [];
  let isAllowed = false;
  for (const graph of needs.directories) {
    const users = await readUsers(graph).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== "graph.denied") throw error;
      needs.log.info({}, "the directory may not be read; people come from orders and imports only");
      return null;
    });
    if (users === null) continue;
    isAllowed = true;
    people.push(...users.filter(isOurs).map(toPerson));
  }
  if (!isAllowed) return null;
  await needs.database.transaction((tx) => replacePeople(tx, "directory", people));
  return people.length;
}

async function readUsers(graph: GraphClient): Promise<User[]> {
  const users: User[] = [];
  let next: string | undefined = FIRST_PAGE;
  while (next !== undefined) {
    const page: Page = await graph.call<Page>({ path: next });
    users.push(...page.value);
    next = page["@odata.nextLink"];
  }
  return users;
}

/** The directory also lists guests, who have addresses of other firms. */
function isOurs(user: User): boolean {
  const isMember = user.userType === "Member";
  return isMember && user.accountEnabled === true && Boolean(user.mail);
}

function toPerson({ mail, displayName }: User): Person {
  return { email: mail!, name: displayName ?? mail!, username: usernameOf(mail!), accounts: [] };
}
