/**
 * Acts as Graph: posts notifications over keep-alive connections with several pending requests on each.
 * A delivery is a template in which only digits change, so that generating it costs little; it runs in a
 * separate process. Every twentieth delivery repeats the one before it, as Graph does.
 */
import { connect, type Socket } from "node:net";
import { answerParent } from "./child.ts";
import { quantile } from "./harness.ts";
import { CLIENT_STATE, GRAPH_USER, SUBSCRIPTION, TENANT } from "./intake-scene.ts";

const DIGITS = "000000000000";
const REPEAT_EVERY = 20;
const END_OF_ANSWER = Buffer.from("\r\n\r\n");

export interface Target {
  readonly port: number;
  readonly items: number;
  readonly connections: number;
}

export interface BurstResult {
  /** Items that were acknowledged, repeats included. */
  readonly acked: number;
  /** Items among them that were not sent before. */
  readonly unique: number;
  readonly refused: number;
  readonly seconds: number;
}

export interface PacedResult {
  readonly acked: number;
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

interface Wire {
  send(count: number): void;
  /** Answers not yet received. */
  underWay: number;
}

let deliveries = 0;
let uniqueItems = 0;

/** Sends as fast as it is acknowledged, for some seconds; ends with the last acknowledgement. */
async function burst(
  given: Target & { pipelining: number; seconds: number },
): Promise<BurstResult> {
  const counts = { acked: 0, refused: 0 };
  const uniqueBefore = uniqueItems;
  const startedMs = performance.now();
  const endMs = startedMs + given.seconds * 1_000;
  const wires = await openWires(given, (wire, acked, refused) => {
    counts.acked += acked;
    counts.refused += refused;
    if (performance.now() < endMs) wire.send(acked + refused);
  });
  for (const wire of wires.all) wire.send(given.pipelining);
  await wires.untilQuiet(endMs);
  return {
    acked: counts.acked * given.items,
    refused: counts.refused * given.items,
    unique: uniqueItems - uniqueBefore,
    seconds: (performance.now() - startedMs) / 1_000,
  };
}

/** Sends at a fixed rate, whether or not the responses keep up; the wait of each counts from its due time. */
async function paced(given: Target & { perSecond: number; seconds: number }): Promise<PacedResult> {
  const waits: number[] = [];
  let refusals = 0;
  const dueTimes = new Map<Wire, number[]>();
  const startedMs = performance.now();
  const endMs = startedMs + given.seconds * 1_000;
  const wires = await openWires(given, (wire, acked, refused) => {
    const now = performance.now();
    refusals += refused;
    for (const due of dueTimes.get(wire)!.splice(0, acked + refused)) waits.push(now - due);
  });
  for (const wire of wires.all) dueTimes.set(wire, []);
  const postsPerMs = given.perSecond / given.items / 1_000;
  let sent = 0;
  while (performance.now() < endMs) {
    const due = Math.floor((performance.now() - startedMs) * postsPerMs);
    for (; sent < due; sent++) {
      const wire = wires.all[sent % wires.all.length]!;
      dueTimes.get(wire)!.push(startedMs + sent / postsPerMs);
      wire.send(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await wires.untilQuiet(endMs);
  return {
    acked: (waits.length - refusals) * given.items,
    refused: refusals * given.items,
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
    maxMs: quantile(waits, 1),
  };
}

async function openWires(
  target: Target,
  onAnswers: (wire: Wire, acked: number, refused: number) => void,
): Promise<{ all: Wire[]; untilQuiet(afterMs: number): Promise<void> }> {
  const sockets: Socket[] = [];
  const delivery = createDelivery(target.items);
  const open = async (): Promise<Wire> => {
    const socket = connect({ port: target.port, host: "127.0.0.1", noDelay: true });
    await new Promise((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    sockets.push(socket);
    const wire: Wire = {
      underWay: 0,
      send(count) {
        wire.underWay += count;
        socket.cork();
        for (let index = 0; index < count; index++) socket.write(delivery());
        socket.uncork();
      },
    };
    readAnswers(socket, (acked, refused) => {
      wire.underWay -= acked + refused;
      onAnswers(wire, acked, refused);
    });
    return wire;
  };
  const all = await Promise.all(Array.from({ length: target.connections }, open));
  return {
    all,
    async untilQuiet(afterMs) {
      while (performance.now() < afterMs || all.some((wire) => wire.underWay > 0)) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Answers have no body, so each ends with its headers. */
function readAnswers(socket: Socket, told: (acked: number, refused: number) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let acked = 0;
    let refused = 0;
    let from = 0;
    for (;;) {
      const end = data.indexOf(END_OF_ANSWER, from);
      if (end < 0) break;
      if (data.toString("latin1", from + 9, from + 12) === "202") acked += 1;
      else refused += 1;
      from = end + END_OF_ANSWER.length;
    }
    rest = data.subarray(from);
    if (acked + refused > 0) told(acked, refused);
  });
}

function createDelivery(items: number): () => Buffer {
  const body = JSON.stringify({ value: Array.from({ length: items }, notification) });
  const head =
    "POST /api/graph/notifications HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n";
  const template = Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  const places: number[] = [];
  for (let at = template.indexOf(DIGITS); at >= 0; at = template.indexOf(DIGITS, at + 1)) {
    places.push(at);
  }
  const placesPerItem = places.length / items;
  let last = Buffer.alloc(0);
  return () => {
    deliveries += 1;
    if (deliveries % REPEAT_EVERY === 0 && last.length > 0) return last;
    last = Buffer.from(template);
    for (const [index, place] of places.entries()) {
      if (index % placesPerItem === 0) uniqueItems += 1;
      writeDigits(last, place, uniqueItems);
    }
    return last;
  };
}

function writeDigits(target: Buffer, place: number, value: number): void {
  let left = value;
  for (let at = place + DIGITS.length - 1; left > 0; at--) {
    target[at] = 48 + (left % 10);
    left = Math.floor(left / 10);
  }
}

function notification(): object {
  const id = `AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A${"Zt3mJ8kQ".repeat(9)}${DIGITS}AAA=`;
  const resource = `Users/${GRAPH_USER}/Messages/${id}`;
  return {
    subscriptionId: SUBSCRIPTION,
    subscriptionExpirationDateTime: "2026-12-01T11:00:00.0000000Z",
    changeType: "created",
    resource,
    resourceData: {
      "@odata.type": "#Microsoft.Graph.Message",
      "@odata.id": resource,
      "@odata.etag": `W/"CQAAABYAAAB${DIGITS}"`,
      id,
    },
    clientState: CLIENT_STATE,
    tenantId: TENANT,
  };
}

answerParent({ burst, paced });
