/** The whole app in one process: it reads a large folder while new mail is notified to it. */
import { startApp } from "../src/app.ts";
import { loadConfig } from "../src/config.ts";
import { readFolder } from "../src/mailbox/delta/read-folder.ts";
import { findFolders } from "../src/mailbox/folders/folder-table.ts";
import { getMailbox } from "../src/mailbox/mailbox-table.ts";
import { answerParent } from "./child.ts";
import { TENANT } from "./intake-scene.ts";

let app: Awaited<ReturnType<typeof startApp>>;

async function start(given: { databaseUrl: string; origin: string; home: string }) {
  const config = loadConfig({
    PORT: "0",
    POSTROOM_HOME: given.home,
    DATABASE_URL: given.databaseUrl,
    LOG_LEVEL: "error",
    DELTA_MINUTES: "600", // no second round beside ours
    GRAPH_TENANT_ID: TENANT,
    GRAPH_CLIENT_ID: "bench",
    GRAPH_CLIENT_SECRET: "a-bench-secret",
    GRAPH_BASE_URL: given.origin,
    GRAPH_AUTHORITY: given.origin,
  });
  app = await startApp(config);
  return { url: app.url };
}

async function readRound(given: { mailbox: number }): Promise<{ messages: number }> {
  const mailbox = (await getMailbox(app.database, given.mailbox))!;
  const [folder] = await findFolders(app.database, given.mailbox);
  const report = (await readFolder(app.watching.audits, mailbox, folder!, "delta"))!;
  return { messages: report.messages };
}

answerParent({ start, readRound }, () => app.stop());
