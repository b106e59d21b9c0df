/** People connect their own mailbox: the beginning of the sign-in, and the notices that they get later. */

import { isUuid } from "../../lib/hash.ts";
import { beginConnect, type ConnectNeeds } from "../../mailbox/consents/connect-person.ts";
import { findNotices, markSeen } from "../../mailbox/consents/notice-table.ts";
import { reachesConnection } from "../../store/reach.ts";
import { toPage } from "../http/paging.ts";
import { forbidden, notFound, unprocessable } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/consents.ts";

export function registerConsentRoutes(app: ApiScope, needs: ConnectNeeds): void {
  registerBeginnings(app, needs);
  registerNotices(app, needs);
}

function registerBeginnings(app: ApiScope, needs: ConnectNeeds): void {
  const begin = async (asked: { connection: string; wanted: string; askedBy: string }) => {
    // A connection of another tenant looks identical to one that does not exist.
    const isOurs = await reachesConnection(needs.database, asked.connection);
    const url = isOurs ? await beginConnect(needs, asked) : null;
    if (url === null)
      throw unprocessable(
        `no app is set up under the name ${asked.connection}; set Connections__${asked.connection}__TenantId, __ClientId and __ClientSecret`,
      );
    return { url };
  };

  app.post(
    "/api/me/mailbox",
    // A kept answer would keep the state of the sign-in.
    { config: { access: "person", answersAnew: true }, schema: schemas.connectOwnMailbox },
    async ({ body, caller }) => {
      if (!isUuid(caller.id)) throw forbidden("only a person who is signed in has a mailbox");
      return begin({ connection: body.connection, wanted: caller.id, askedBy: caller.id });
    },
  );

  app.post(
    "/api/mailboxes/:address/connect",
    { config: { access: "operator", answersAnew: true }, schema: schemas.connectMailbox },
    async ({ body, caller, params }) =>
      begin({ connection: body.connection, wanted: params.address, askedBy: caller.id }),
  );
}

function registerNotices(app: ApiScope, { database }: ConnectNeeds): void {
  app.get(
    "/api/me/notices",
    { config: { access: "person" }, schema: schemas.listNotices },
    async ({ query, caller }) => {
      const { cursor: before, limit } = query;
      const found = await findNotices(database, caller.id, { before, limit: limit + 1 });
      const { rows, next } = toPage("notices", limit, found, ({ id }) => id);
      return { notices: rows, next };
    },
  );

  app.post(
    "/api/me/notices/:id/seen",
    { config: { access: "person" }, schema: schemas.seeNotice },
    async ({ params, caller }) => {
      const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : null;
      if (id === null || !(await markSeen(database, caller.id, id)))
        throw notFound("there is no such notice");
      return { id };
    },
  );
}
