/**
 * An S3 server of npm (s3rver) behind a thin front. It knows neither `If-None-Match` nor `Content-MD5`,
 * which Amazon and every current S3 service honour, so the front answers 412 for a key that is taken and
 * 400 for bytes that do not fit their sum. `isStrict: false` leaves the front out: a service of the kind
 * that our adapter must refuse.
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forward, readAll } from "./forward.ts";
import { installPackages } from "./packages.ts";

interface S3rver {
  readonly store: { existsObject(bucket: string, key: string): Promise<boolean> };
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
type S3rverClass = new (options: Record<string, unknown>) => S3rver;

export interface S3Server {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  close(): Promise<void>;
}

const BUCKET = "archive-test";

export async function startS3Server(options: { isStrict: boolean }): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "postroom-s3-"));
  const Server = createRequire(join(await installPackages(), "package.json"))(
    "s3rver",
  ) as S3rverClass;
  const server = new Server({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const bare = `http://127.0.0.1:${port}`;
  const front = options.isStrict ? await startFront(server, bare) : null;
  return {
    url: front?.url ?? bare,
    bucket: BUCKET,
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    async close() {
      await front?.close();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startFront(s3rver: S3rver, target: string) {
  const turns = new Map<string, Promise<void>>();

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer) => {
    const refusal = await refusalOf(s3rver, incoming, body);
    if (refusal !== null) {
      const xml = `<Error><Code>${refusal.code}</Code><Message>refused</Message></Error>`;
      outgoing.writeHead(refusal.status, { "content-type": "application/xml" }).end(xml);
      return;
    }
    const answer = await forward(target, incoming, body);
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  };

  /** Writes of one key run one after the other, so that of two racing creates one finds the other. */
  const inTurn = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await readAll(incoming);
    if (incoming.method !== "PUT") return handle(incoming, outgoing, body);
    const key = incoming.url ?? "";
    const before = turns.get(key) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => handle(incoming, outgoing, body));
    turns.set(key, turn);
    return turn;
  };

  const server = createServer((incoming, outgoing) => {
    inTurn(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function refusalOf(s3rver: S3rver, incoming: IncomingMessage, body: Buffer) {
  if (incoming.method !== "PUT") return null;
  const sum = incoming.headers["content-md5"];
  if (sum !== undefined && sum !== createHash("md5").update(body).digest("base64")) {
    return { status: 400, code: "BadDigest" };
  }
  if (incoming.headers["if-none-match"] !== "*") return null;
  const { pathname } = new URL(incoming.url ?? "/", "http://s3");
  const [bucket = "", ...key] = pathname.slice(1).split("/").map(decodeURIComponent);
  const isTaken = await s3rver.store.existsObject(bucket, key.join("/"));
  return isTaken ? { status: 412, code: "PreconditionFailed" } : null;
}
