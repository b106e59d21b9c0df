/** Many readers of streams, and large saves at once. The servers are processes of their own; the worker is here. */
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { armKillPoint } from "../../src/lib/kill-points.ts";
import { aPerson, documentSettings, type Person } from "../documents/scene.ts";
import { settingsFor, until } from "../helpers/app.ts";
import { readStream, type SentEvent, toEvents } from "./read-stream.ts";
import { aMail, anOfficeScene, type OfficeScene } from "./scene.ts";
import { bundleServer, memoryOf, type ServerProcess, startServer } from "./server-process.ts";

const isLong = process.env["POSTROOM_LONG"] === "1";
/** Each has as many streams as one person may have: 500 readers in all. */
const PEOPLE = isLong ? 50 : 4;
const STREAMS = 10;
const FILE_MB = isLong ? 25 : 4;

let scene: OfficeScene;
let servers: [ServerProcess, ServerProcess];
beforeAll(async () => {
  scene = await anOfficeScene({ app: { roles: ["worker"] } });
  const program = await bundleServer();
  const start = async () => {
    const shared = { ...documentSettings(scene.tenant), DATABASE_URL: scene.app.database.url };
    const settings = await settingsFor(scene.tenant, { ...shared, LOG_LEVEL: "silent" });
    return startServer(program, settings, ["api"]);
  };
  servers = [await start(), await start()];
});
afterAll(async () => {
  for (const { child, end } of servers ?? []) {
    child.kill("SIGKILL");
    await end;
  }
});

/** Somebody who works here, as many as the test needs. */
function aColleague(number: number): Person {
  const { users } = scene.tenant;
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const name = `colleague${number}@postroom.example`;
  users.push({ ...users[1]!, id, userPrincipalName: name, mail: name, displayName: name });
  return aPerson(scene.tenant, users.length - 1);
}

async function post(server: ServerProcess, person: Person, body: object) {
  const answer = await fetch(`${await server.url}/office/save`, {
    method: "POST",
    headers: { ...person.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, string> };
}

interface Reader {
  events(): SentEvent[];
  /** Goes away in the middle. */
  leave(): void;
  /** From now on it reads; before that the server's answer waits. */
  read(): void;
}

async function openReader(
  server: ServerProcess,
  path: string,
  headers: Record<string, string>,
): Promise<Reader> {
  const url = `${await server.url}${path}`;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once("error", reject);
  });
  expect(answer.statusCode).toBe(200);
  answer.pause();
  let text = "";
  answer.on("error", () => {}); // it left
  return {
    events: () => toEvents(text),
    leave: () => answer.destroy(),
    read: () =>
      answer
        .setEncoding("utf8")
        .on("data", (piece: string) => (text += piece))
        .resume(),
  };
}

const isAtEnd = (events: readonly SentEvent[]) => events.at(-1)?.event === "job-complete";
const isUploaded = (events: readonly SentEvent[]) =>
  events.some(({ data }) => data["phase"] === "FileUploaded");

describe("streams of saves", () => {
  it("that are slow, gone, or continued on another server show everything once, in order, and hold no memory", async () => {
    const [first, second] = servers;
    const people = Array.from({ length: PEOPLE }, (_, index) => aColleague(index + 1));
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const disarm = armKillPoint("office.main-recorded", () => gate);
    const paths: string[] = [];
    for (const person of people) {
      const mail = { ...aMail(scene.matterId), triggerAiProcessing: false };
      const { status, json } = await post(first, person, mail);
      expect(status).toBe(202);
      paths.push(json["streamUrl"]!);
    }
    const before = await memoryOf(first);
    const all = await Promise.all(
      people.flatMap(({ headers }, index) =>
        Array.from({ length: STREAMS }, async (_, n) => {
          const path = paths[index]!;
          return { path, headers, n, reader: await openReader(first, path, headers) };
        }),
      ),
    );
    // Of ten, three are slow and three go away; the others read from the beginning.
    const slow = all.filter(({ n }) => n < 3);
    const gone = all.filter(({ n }) => n >= 3 && n < 6);
    for (const { reader } of all.filter(({ n }) => n >= 3)) reader.read();
    await until("those who go away", async () =>
      gone.every(({ reader }) => isUploaded(reader.events())),
    );
    for (const { reader } of gone) reader.leave();
    const during = await memoryOf(first);
    const continued = await Promise.all(
      gone.map(async ({ path, headers, reader }) => {
        const seen = reader.events().findLast(({ id }) => id !== undefined)!.id!;
        const again = await openReader(second, path, { ...headers, "last-event-id": seen });
        again.read();
        return { reader, again };
      }),
    );
    open();
    disarm();
    await scene.app.jobs.workUntilIdle();
    for (const { reader } of slow) reader.read();
    const whole = [
      ...all
        .filter(({ n }) => n < 3 || n >= 6)
        .map(
          ({ reader }) =>
            () =>
              reader.events(),
        ),
      ...continued.map(({ reader, again }) => () => [...reader.events(), ...again.events()]),
    ];
    await until("all ends", async () => whole.every((events) => isAtEnd(events())), 300_000);
    for (const events of whole.map((read) => read())) {
      const stages = events.filter(({ event }) => event === "stage-update");
      expect(stages.map(({ data }) => data["progress"])).toEqual([10, 30, 40, 50, 60, 65]);
      const numbers = events.flatMap(({ id }) => (id ? [Number(id.split(":")[1])] : []));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    }
    // Their places are free again.
    const again = await Promise.all(
      Array.from({ length: STREAMS }, async () =>
        readStream(`${await first.url}${paths[0]}`, people[0]!.headers),
      ),
    );
    expect(again.every(isAtEnd)).toBe(true);
    const after = await memoryOf(first);
    if (isLong)
      console.info(
        `${all.length} readers: ${before.now.toFixed(0)} MB before, ${during.now.toFixed(0)} MB with them, ${after.now.toFixed(0)} MB after, peak ${after.peak.toFixed(0)} MB`,
      );
    expect(after.peak - before.now).toBeLessThan(100);
  }, 600_000);
});

describe("large saves", () => {
  it(`three of ${4 * FILE_MB} MB at once add at most 300 MB of memory`, async () => {
    const [first] = servers;
    const file = Buffer.alloc(FILE_MB * 1024 * 1024 - 1024, "x").toString("base64");
    const before = await memoryOf(first);
    const answers = await Promise.all(
      [1, 2, 3].map((number) =>
        post(first, aColleague(900 + number), {
          ...aMail(scene.matterId, {
            attachments: [1, 2, 3, 4].map((n) => ({
              ...{ fileName: `${number}-${n}.bin`, contentBase64: file },
            })),
          }),
          triggerAiProcessing: false,
        }),
      ),
    );
    const after = await memoryOf(first);
    console.info(
      `three saves of ${4 * FILE_MB} MB: ${before.now.toFixed(0)} MB, peak ${after.peak.toFixed(0)} MB`,
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(after.peak - before.now).toBeLessThan(300);
  });
});
