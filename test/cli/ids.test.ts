/** An ID that one command prints is taken by every other command that asks for such an ID. */
import { beforeAll, describe, expect, it } from "vitest";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { commandsFor, type Ran } from "../helpers/cli.ts";

const NINA = "nina.berg@ashdown.example";

let tenant: Tenant;
let app: TestApp;
let run: (typed: string | readonly string[]) => Promise<Ran>;
/** By kind: every ID of the same thing, as different commands print it. */
let ids: Record<"message" | "trade" | "document" | "question" | "job" | "filed", string[]>;

async function rows<T>(typed: string): Promise<T[]> {
  const { code, out, err } = await run(`${typed} --json`);
  expect({ typed, code, err }).toMatchObject({ typed, code: 0 });
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

const admin = () => ["--admin", tenant.addresses.admin];

async function send(seed: string): Promise<string> {
  const note = await makeNote({ seed, kind: "buy", language: "en" });
  const attachments = [{ name: note.fileName, bytes: note.pdf }];
  const [sent] = await tenant.graph.admin.sendMail({
    to: NINA,
    from: "stranger@x.example",
    attachments,
  });
  return sent!.immutableId;
}

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, documentSettings(tenant));
  run = commandsFor(app);
  await watch(app, tenant, ["nina"], "Inbox");
  const sent = await send("one");
  await send("two");
  const [asked] = await until("two questions", async () => {
    const open = await rows<{ id: number }>("review list");
    return open.length === 2 && open;
  });
  const question = asked!.id;
  expect((await run(`review accept ${question}`)).code).toBe(0);
  const [trade] = await rows<{ id: string; tradeKey: string }>("trades list --limit 1");
  const [mail] = await rows<{ messageId: string }>("ingest mails");
  const [event] = await rows<{ messageId: string }>("events list --limit 1");
  const [job] = await rows<{ jobId: string }>("jobs list --limit 1");
  const shown = JSON.parse((await run(`review show ${question} --json`)).out) as {
    document: { id: string };
  };
  const filed = JSON.parse((await run("documents file package.json --json")).out) as { id: string };
  const inTenant = (await run(["tenant", "messages", "--mailbox", NINA, ...admin()])).out;
  ids = {
    message: [sent, mail!.messageId, event!.messageId, inTenant.trim().split(/\s+/).at(-1)!],
    trade: [trade!.id, trade!.tradeKey],
    document: [shown.document.id],
    question: [String(question)],
    job: [job!.jobId],
    filed: [filed.id],
  };
}, 120_000);

type Kind = keyof typeof ids;

describe("an ID that a command prints", () => {
  it.each<[verb: string, kind: Kind]>([
    ["trace ID", "message"],
    ["trace ID", "trade"],
    ["trace ID", "document"],
    ["trades list --message ID", "message"],
    ["trades show ID", "trade"],
    ["trades undo ID --why test --dry-run", "trade"],
    ["evidence export --message ID --to nowhere --dry-run", "message"],
    ["evidence export --trade ID --to nowhere --dry-run", "trade"],
    [`ingest again ${NINA} ID`, "message"],
    ["hold set ID --kind trade --why test --dry-run", "trade"],
    ["hold set ID --kind note --why test --dry-run", "document"],
    ["review show ID", "question"],
    ["jobs show ID", "job"],
    ["jobs cancel ID --dry-run", "job"],
    ["documents show ID", "filed"],
    ["documents reviewed ID", "filed"],
    [`tenant read ID --mailbox ${NINA}`, "message"],
    [`tenant move ID --mailbox ${NINA} --folder inbox`, "message"],
    ["open ID --print", "message"],
  ])("is taken by postroom %s, as it is printed of a %s", async (verb, kind) => {
    expect(ids[kind].length).toBeGreaterThan(0);
    for (const id of new Set(ids[kind])) {
      const words = verb.split(" ").map((word) => (word === "ID" ? id : word));
      const own = verb.startsWith("tenant ") ? admin() : [];
      const { code, err } = await run([...words, ...own]);
      expect({ id, code, err }).toMatchObject({ id, code: 0 });
    }
  });
});

describe("what postroom mailbox add leaves out", () => {
  it("stays as it is: the owner and the connection too, not only the folder", async () => {
    const known = (await rows<{ address: string; ownerId: string }>("mailbox list"))[0]!;
    const owner = tenant.users.find((user) => user.userPrincipalName.startsWith("omar"))!.id;
    expect(owner).not.toBe(known.ownerId);
    const other = await anApp(tenant, {
      Connections__second__TenantId: tenant.tenantId,
      Connections__second__ClientId: tenant.clientId,
      Connections__second__ClientSecret: tenant.clientSecret,
    });
    const there = commandsFor(other);
    await upsertMailbox(other.database, {
      ...{ address: NINA, graphUserId: known.ownerId, ownerId: known.ownerId },
      ...{ connection: "second", ingestFolder: null },
    });
    expect((await there(`mailbox add ${NINA} --owner ${owner}`)).code).toBe(0);
    const { out } = await there(`mailbox add ${NINA} --ingest Inbox --json`);
    expect(JSON.parse(out)).toMatchObject({
      ...{ ownerId: owner, connection: "second", ingestFolder: "Inbox" },
    });
  });
});
