/**
 * The server is killed again and again while notifications stream in. Whatever was answered 202 must
 * have its row afterwards, and nothing may have two.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/lib/hash.ts";
import { openDatabase } from "../../src/store/database.ts";
import { settingsFor, until } from "../helpers/app.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const KILLS = process.env["POSTROOM_LONG"] ? 400 : 30;
const SECRET = "kill-test-secret";
const SUBSCRIPTION = "aaaaaaaa-2222-3333-4444-555555555555";

describe("kill -9 of the server", () => {
  it(`${KILLS} kills under a stream of notifications lose no acknowledged one and repeat none [R03] [H-01] [JOB-21]`, {
    timeout: 1_800_000,
  }, async () => {
    const settings = await settingsFor(null, { LOG_LEVEL: "silent" });
    const database = openDatabase({ url: settings["DATABASE_URL"]! });
    await subscribe(database);
    const program = await bundleProgram(
      new URL("./intake-program.ts", import.meta.url),
      new URL("../../src/store/migrate.ts", import.meta.url),
    );
    const stream = startStream(`http://127.0.0.1:${settings["PORT"]}/webhooks/graph`);

    for (let kill = 0; kill < KILLS; kill++) {
      const before = stream.acknowledged.size;
      const server = start(program, settings);
      await until(
        "new acknowledgements",
        async () => stream.acknowledged.size > before + (kill % 7) * 5,
        60_000,
      );
      server.kill("SIGKILL");
      await new Promise((ended) => server.once("exit", ended));
    }
    await stream.stop();

    const { rows } = await database.query<{ id: string; n: number }>(
      "SELECT message_id AS id, count(*) AS n FROM postroom.notification GROUP BY 1",
    );
    const stored = new Map(rows.map((row) => [row.id, row.n]));
    const lost = [...stream.acknowledged].filter((id) => !stored.has(id));
    const doubled = rows.filter((row) => row.n > 1);
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    expect(stream.acknowledged.size).toBeGreaterThan(KILLS);
    await database.close();
  });
});

async function subscribe(database: ReturnType<typeof openDatabase>): Promise<void> {
  await database.query(
    "INSERT INTO postroom.mailbox (address, graph_user_id, owner_id) VALUES ('k@x.example', 'user', 'owner')",
  );
  await database.query(
    `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
     SELECT id, $1, 'users/user/messages', 'created', $2, 'active' FROM postroom.mailbox`,
    [SUBSCRIPTION, sha256(SECRET)],
  );
}

function start(program: string, settings: Record<string, string>): ChildProcess {
  const env = { PATH: process.env["PATH"], ...settings };
  return endWithUs(spawn(process.execPath, [program], { env, stdio: "ignore" }));
}

/** Sends like Graph: a delivery that is not acknowledged is sent again, the same items with it. */
function startStream(url: string): { acknowledged: Set<string>; stop(): Promise<void> } {
  const acknowledged = new Set<string>();
  let isRunning = true;
  let next = 0;
  const sender = async () => {
    while (isRunning) {
      const ids = Array.from({ length: 3 }, () => `message-${next++}`);
      for (let isDone = false; !isDone && isRunning; ) isDone = await deliver(url, ids);
      if (isRunning) for (const id of ids) acknowledged.add(id);
    }
  };
  const senders = Promise.all(Array.from({ length: 8 }, sender));
  return {
    acknowledged,
    async stop() {
      isRunning = false;
      await senders;
    },
  };
}

async function deliver(url: string, ids: readonly string[]): Promise<boolean> {
  const value = ids.map((id) => ({
    subscriptionId: SUBSCRIPTION,
    clientState: SECRET,
    changeType: "created",
    resource: `Users/user/Messages/${id}`,
    resourceData: { id, "@odata.etag": id },
  }));
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ value }),
    });
    return answer.status === 202;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 5)); // the server is down; Graph would wait as well
    return false;
  }
}
