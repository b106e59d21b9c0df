/** Measures new mail during a long first round: the time from the notification to the stored event. */
import { type Database, openDatabase } from "../src/store/database.ts";
import { startChild, type Usage } from "./child.ts";
import type { DeltaScene } from "./delta.ts";
import { type Figure, limited, quantile } from "./harness.ts";
import { CLIENT_STATE, GRAPH_USER, SUBSCRIPTION, TENANT } from "./intake-scene.ts";
import type { Closers } from "./throwaway.ts";

const MAILS_PER_SECOND = 20;
const LOOK_MS = 20;
const LIMIT_SECONDS = 5;

export async function benchLiveMail(scene: DeltaScene, closers: Closers): Promise<Figure> {
  const child = startChild(new URL("./delta-app.ts", import.meta.url));
  closers.push(child.stop);
  const { databaseUrl, origin, folder, mailbox } = scene;
  const home = `${folder}/home`;
  const { url } = await child.ask<{ url: string }>("start", { databaseUrl, origin, home });
  const database = openDatabase({ url: databaseUrl, connections: 2 });
  closers.push(database.close);
  const mail = postMail(url, database, mailbox);
  const { messages } = await child.ask<{ messages: number }>("readRound", { mailbox });
  const waits = await mail.stop();
  const usage = await child.ask<Usage>("usage");
  const remark = `${waits.length} mails at ${MAILS_PER_SECOND}/s into the mailbox being read (${messages.toLocaleString("en")} messages), all in one process (${Math.round(usage.peakRssMb)} MB); p50 ${(quantile(waits, 0.5) / 1_000).toFixed(2)} s`;
  return limited({
    ...{ bench: "delta", case: "new mail during the round, p99", unit: "s", note: remark },
    ours: quantile(waits, 0.99) / 1_000,
    limit: LIMIT_SECONDS,
  });
}

/** Posts mail after mail and watches for the events; `stop` waits for the last one. */
function postMail(url: string, database: Database, mailbox: number) {
  const postedMs = new Map<string, number>();
  const waits: number[] = [];
  let count = 0;
  const post = async (): Promise<void> => {
    count += 1;
    const id = `live-mail-${String(count).padStart(20, "0")}`;
    postedMs.set(id, performance.now());
    const answer = await fetch(`${url}/api/graph/notifications`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ value: [notificationOf(id)] }),
    });
    if (answer.status !== 202) throw new Error(`a notification was answered ${answer.status}`);
  };
  const look = async (): Promise<void> => {
    const { rows } = await database.query<{ id: string }>(
      `SELECT message_id AS id FROM postroom.event
        WHERE user_id = $1 AND mailbox = $2 AND message_id = ANY($3) AND event_type = 'arrived'`,
      [GRAPH_USER, mailbox, [...postedMs.keys()]],
    );
    for (const { id } of rows) {
      waits.push(performance.now() - postedMs.get(id)!);
      postedMs.delete(id);
    }
  };
  const posting = every(1_000 / MAILS_PER_SECOND, post);
  const looking = every(LOOK_MS, look);
  return {
    async stop(): Promise<number[]> {
      await posting();
      for (let tries = 0; postedMs.size > 0; tries++) {
        if (tries > 3_000) throw new Error(`${postedMs.size} mails never became events`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      await looking();
      return waits;
    },
  };
}

/** Repeats a task without overlap; the returned function stops it and throws its error. */
function every(pauseMs: number, task: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const nextMs = performance.now() + pauseMs;
      await task();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - performance.now())));
    }
  };
  const running = loop();
  running.catch(() => {}); // reported to the caller that stops it
  return () => {
    isStopped = true;
    return running;
  };
}

function notificationOf(id: string): object {
  const resource = `Users/${GRAPH_USER}/Messages/${id}`;
  return {
    subscriptionId: SUBSCRIPTION,
    changeType: "created",
    resource,
    resourceData: { id, "@odata.etag": `W/"${id}"`, "@odata.id": resource },
    clientState: CLIENT_STATE,
    tenantId: TENANT,
  };
}
