/** Filing rules: the folders of a watched mailbox whose mail is filed. */

import type { Actor } from "../../filing/actors.ts";
import { chooseContainer, readParent } from "../../filing/container.ts";
import {
  findFilingRules,
  removeFilingRule,
  upsertFilingRule,
  WHOLE_MAILBOX,
} from "../../filing/from-mail/filing-rule-table.ts";
import type { Connections } from "../../mailbox/connections.ts";
import { hasFolder } from "../../mailbox/folders/has-folder.ts";
import { getMailboxByAddress, type Mailbox } from "../../mailbox/mailbox-table.ts";
import type { Database } from "../../store/database.ts";
import { notWatched } from "../http/not-watched.ts";
import { notFound, unprocessable } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/filing-rules.ts";

export interface FilingRuleRoutesNeeds {
  readonly database: Database;
  readonly connections: Connections;
  /** Null if documents are not set up. */
  readonly documents: { readonly app: Actor; readonly defaultContainerId: string } | null;
}

export function registerFilingRuleRoutes(app: ApiScope, needs: FilingRuleRoutesNeeds): void {
  const { database } = needs;
  const load = async (address: string): Promise<Mailbox> => {
    const mailbox = await getMailboxByAddress(database, address);
    if (mailbox === null) throw notWatched(address);
    return mailbox;
  };

  app.get(
    "/api/mailboxes/:address/filing",
    { config: { access: "operator" }, schema: schemas.listFilingRules },
    async (request) => {
      const mailbox = await load(request.params.address);
      return { address: mailbox.address, rules: await findFilingRules(database, mailbox.id) };
    },
  );

  app.put(
    "/api/mailboxes/:address/filing",
    { config: { access: "operator" }, schema: schemas.setFilingRule },
    async (request) => {
      const mailbox = await load(request.params.address);
      const { folder, parent = null, containerId = null } = request.body;
      await checkRule(needs, mailbox, request.body);
      const rule = { folder, parent, containerId };
      return {
        address: mailbox.address,
        ...(await upsertFilingRule(database, mailbox.id, rule)),
      };
    },
  );

  app.delete(
    "/api/mailboxes/:address/filing",
    { config: { access: "operator" }, schema: schemas.removeFilingRule },
    async (request) => {
      const mailbox = await load(request.params.address);
      const { folder } = request.query;
      if (!(await removeFilingRule(database, mailbox.id, folder)))
        throw notFound(
          `${mailbox.address} does not file ${folder}; postroom mailbox filing lists the folders that it files`,
        );
      return { address: mailbox.address, folder, removed: true as const };
    },
  );
}

/** A rule that could never file anything is refused now, not when the first mail arrives. */
async function checkRule(
  { connections, documents }: FilingRuleRoutesNeeds,
  mailbox: Mailbox,
  rule: { folder: string; parent?: string | undefined; containerId?: string | undefined },
): Promise<void> {
  if (documents === null)
    throw unprocessable(
      "documents are not set up: Dataverse__ServiceUrl and EmailProcessing__DefaultContainerId are missing",
    );
  const { folder, containerId } = rule;
  const user = mailbox.graphUserId ?? mailbox.address;
  const graph = connections.graph(mailbox.connection);
  if (folder !== WHOLE_MAILBOX && !(await hasFolder(graph, user, folder)))
    throw unprocessable(
      `${mailbox.address} has no folder ${folder}; postroom mailbox folders lists them`,
    );
  const { app, defaultContainerId } = documents;
  const place = { dataverse: app.dataverse, defaultContainerId };
  await chooseContainer(place, { containerId, parent: readParent(rule.parent) });
}
