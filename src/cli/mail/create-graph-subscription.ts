import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { loadConfigAndVault, processEnvironment } from "../../config.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output, shortTime } from "../base/output.ts";

const NEEDED = [
  "GRAPH_TENANT_ID",
  "GRAPH_CLIENT_ID",
  "GRAPH_CLIENT_SECRET",
  "GRAPH_MAILBOX_EMAIL",
  "GRAPH_CLIENT_STATE",
  "GRAPH_WEBHOOK_URL",
] as const;

interface MailboxView {
  readonly address: string;
  readonly subscription: { subscriptionId: string | null; expiresAt: string | null } | null;
}

/** Creates the first subscription of a new installation, once the server is reachable from outside. */
export function createGraphSubscriptionCommand(output: Output = createOutput()): Command {
  return new Command("create-graph-subscription")
    .description("subscribe to the mailbox in GRAPH_MAILBOX_EMAIL, unless a subscription exists")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nNeeds the same settings as the server, which must be running: Graph calls it to confirm the subscription.\nExits with 0 if the subscription exists afterwards, with 2 if settings are missing, and with 75 if the\nserver or its database is unavailable.\n\nExample:\n  postroom create-graph-subscription --json",
    )
    .action(async (options: { json?: boolean }) => {
      const settings = processEnvironment();
      const missing = NEEDED.filter((name) => !settings[name]);
      if (missing.length > 0)
        throw new CommandError(`missing settings: ${missing.join(", ")}`, EXIT.usage);
      const { mailboxEmail, mailboxFolder } = await loadConfigAndVault(settings);
      return withApi(async (api) => {
        const created = await createFirst(api, mailboxEmail!.toLowerCase(), mailboxFolder);
        if (options.json) return output.json(created);
        const words = created.result === "kept" ? "already subscribed" : "subscription created";
        output.line(
          `${created.mailbox}: ${words}, ${created.subscriptionId} until ${shortTime(created.until)}`,
        );
      });
    });
}

async function createFirst(api: ApiClient, address: string, folder: string) {
  await api.get("/readyz"); // fails here if the database is unavailable
  const find = async () =>
    (
      await rowsOf(
        (cursor) => answerOf(api.client.GET("/api/mailboxes", { params: { query: { cursor } } })),
        (page) => page.mailboxes,
      )
    ).find((one) => one.address === address);
  const before = await find();
  const toResult = (result: string, { subscription }: MailboxView) => ({
    mailbox: address,
    result,
    subscriptionId: subscription!.subscriptionId,
    until: subscription!.expiresAt,
  });
  if (before?.subscription) return toResult("kept", before);
  const reason =
    before === undefined
      ? (
          await answerOf(
            api.client.POST("/api/mailboxes", {
              body: { address, ingestFolder: folder, observes: false },
            }),
          )
        ).error
      : (
          await answerOf(
            api.client.POST("/api/subscriptions/ensure", { body: { mailbox: address } }),
          )
        )[0]?.error;
  const after = await find();
  if (!after?.subscription)
    throw new CommandError(
      `Graph did not create the subscription: ${reason ?? "the server has no public address, or another request is creating it"}`,
    );
  return toResult("created", after);
}
