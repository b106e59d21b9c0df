import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { limit, maybeTime, time } from "./common.ts";

const tags = ["mailboxes"];
const connection = z.string().max(100).describe("the connection whose app asks for the consent");
const SignIn = z.object({
  url: z.string().describe("where the person signs in, within ten minutes"),
});

export const connectOwnMailbox = {
  operationId: "connectOwnMailbox",
  summary: "Begin to let Postroom read the caller's own mailbox",
  tags,
  body: z.object({ connection }),
  response: { 200: SignIn },
  example: { body: { connection: "default" } },
};

export const connectMailbox = {
  operationId: "connectMailbox",
  summary: "Begin to let Postroom read the mailbox of a person, who signs in themselves",
  tags,
  params: z.object({ address: z.email().describe("the address that the person signs in with") }),
  body: z.object({ connection: connection.default("default") }),
  response: { 200: SignIn },
  example: { params: { address: "nina.berg@ashdown.example" }, body: { connection: "default" } },
};

const Notice = z
  .object({ id: z.int(), text: z.string(), at: time, seenAt: maybeTime })
  .meta({ id: "Notice" });

export const listNotices = {
  operationId: "listNotices",
  summary: "What the caller has to know about their own mailbox, newest first",
  tags,
  querystring: z.object({ cursor: cursorOf("notices", z.int()), limit: limit(200, 50) }),
  response: { 200: z.object({ notices: z.array(Notice), next }) },
  example: { query: { limit: 50 } },
};

export const seeNotice = {
  operationId: "seeNotice",
  summary: "Mark one of the caller's notices as seen",
  tags,
  params: z.object({ id: z.string().max(20).describe("the id of a notice") }),
  response: { 200: z.object({ id: z.int() }) },
  example: { params: { id: "1" } },
};
