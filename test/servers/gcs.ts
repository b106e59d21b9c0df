/**
 * The part of Google Cloud Storage's JSON API that an archive uses: simple upload, metadata, download,
 * list in pages, delete. It is strict where Google is strict: generations and their preconditions, and a
 * checksum that the caller names must fit the bytes.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface StoredObject {
  readonly bytes: Buffer;
  readonly generation: number;
  readonly contentType: string;
  readonly metadata: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

export interface GcsServer {
  readonly url: string;
  /** The object as Google's XML API would show it, `x-goog-meta-…` names included. */
  headersOf(bucket: string, name: string): Record<string, string>;
  close(): Promise<void>;
}

const PAGE_MAX = 3; // small, so that a short list already has pages

export async function startGcsServer(buckets: readonly string[]): Promise<GcsServer> {
  const stored = new Map(buckets.map((name) => [name, new Map<string, StoredObject>()]));
  let generation = 1_700_000_000_000_000;

  const upload = (objects: Map<string, StoredObject>, url: URL, request: Received): Answer => {
    const name = url.searchParams.get("name") ?? "";
    const refused = checkPrecondition(objects.get(name), url);
    if (refused !== null) return refused;
    const { resource, media, mediaType } = splitMultipart(request);
    const wanted = resource.crc32c;
    if (wanted !== undefined && wanted !== crc32cBase64(media)) {
      return failure(400, `Provided CRC32C "${wanted}" doesn't match calculated CRC32C`);
    }
    generation += 1;
    const object: StoredObject = {
      bytes: media,
      generation,
      contentType: resource.contentType ?? mediaType,
      metadata: resource.metadata ?? {},
    };
    objects.set(name, object);
    return { status: 200, body: describe(url.pathname.split("/")[5] ?? "", name, object) };
  };

  const answer = (request: Received): Answer => {
    const url = new URL(request.url, "http://gcs");
    const match = /^(\/upload)?\/storage\/v1\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(url.pathname);
    if (match === null) return failure(404, "Not Found");
    const bucket = decodeURIComponent(match[2]!);
    const objects = stored.get(bucket);
    if (objects === undefined) return failure(404, "The specified bucket does not exist.");
    if (match[1] !== undefined) return upload(objects, url, request);
    if (match[3] === undefined) return list(bucket, objects, url);
    const name = decodeURIComponent(match[3]);
    const object = objects.get(name);
    if (object === undefined) return failure(404, `No such object: ${bucket}/${name}`);
    if (request.method === "DELETE") {
      objects.delete(name);
      return { status: 204, body: "" };
    }
    return url.searchParams.get("alt") === "media"
      ? download(object)
      : { status: 200, body: describe(bucket, name, object) };
  };

  const server = createServer((incoming, outgoing) => {
    receive(incoming)
      .then((request) => send(outgoing, answer(request)))
      .catch((error: Error) => send(outgoing, failure(500, error.message)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headersOf(bucket, name) {
      const metadata = stored.get(bucket)?.get(name)?.metadata ?? {};
      return Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [`x-goog-meta-${key}`, value]),
      );
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Received {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly body: Buffer;
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? "GET",
    url: incoming.url ?? "/",
    contentType: incoming.headers["content-type"] ?? "",
    body: Buffer.concat(chunks),
  };
}

function send(outgoing: ServerResponse, answer: Answer): void {
  const isRaw = Buffer.isBuffer(answer.body) || answer.body === "";
  const body = isRaw ? (answer.body as Buffer) : JSON.stringify(answer.body);
  outgoing.writeHead(answer.status, {
    "content-type": "application/json; charset=UTF-8",
    ...answer.headers,
  });
  outgoing.end(body);
}

function failure(code: number, message: string): Answer {
  const reason = code === 412 ? "conditionNotMet" : code === 404 ? "notFound" : "invalid";
  return { status: code, body: { error: { code, message, errors: [{ message, reason }] } } };
}

/** `ifGenerationMatch=0` means: only if there is no live object of this name. */
function checkPrecondition(present: StoredObject | undefined, url: URL): Answer | null {
  const wanted = url.searchParams.get("ifGenerationMatch");
  if (wanted === null || Number(wanted) === (present?.generation ?? 0)) return null;
  return failure(412, "At least one of the pre-conditions you specified did not hold.");
}

function splitMultipart(request: Received): {
  resource: { contentType?: string; crc32c?: string; metadata?: Record<string, string> };
  media: Buffer;
  mediaType: string;
} {
  const boundary = /boundary="?([^";]+)"?/.exec(request.contentType)?.[1];
  if (boundary === undefined) throw new Error("an upload without a multipart boundary");
  const parts: { head: string; body: Buffer }[] = [];
  const mark = Buffer.from(`--${boundary}`);
  let at = request.body.indexOf(mark);
  while (at !== -1) {
    const next = request.body.indexOf(mark, at + mark.length);
    if (next === -1) break;
    const part = request.body.subarray(at + mark.length + 2, next - 2); // without CRLF at both ends
    const gap = part.indexOf("\r\n\r\n");
    parts.push({ head: part.subarray(0, gap).toString(), body: part.subarray(gap + 4) });
    at = next;
  }
  const [json, media] = parts;
  if (json === undefined || media === undefined) throw new Error("an upload without two parts");
  const mediaType = /content-type:\s*([^\r\n]+)/i.exec(media.head)?.[1] ?? "";
  return { resource: JSON.parse(json.body.toString("utf8")), media: media.body, mediaType };
}

function list(bucket: string, objects: Map<string, StoredObject>, url: URL): Answer {
  const prefix = url.searchParams.get("prefix") ?? "";
  const after = url.searchParams.get("pageToken") ?? "";
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after);
  names.sort();
  const page = names.slice(0, PAGE_MAX);
  const items = page.map((name) => describe(bucket, name, objects.get(name)!));
  const more = names.length > page.length ? { nextPageToken: page.at(-1) } : {};
  return { status: 200, body: { kind: "storage#objects", items, ...more } };
}

function download(object: StoredObject): Answer {
  const hashes = `crc32c=${crc32cBase64(object.bytes)},md5=${md5Base64(object.bytes)}`;
  return {
    status: 200,
    body: object.bytes,
    headers: {
      "content-type": object.contentType,
      "x-goog-hash": hashes,
      "x-goog-stored-content-encoding": "identity",
      "x-goog-generation": String(object.generation),
    },
  };
}

function describe(bucket: string, name: string, object: StoredObject): object {
  return {
    kind: "storage#object",
    id: `${bucket}/${name}/${object.generation}`,
    bucket,
    name,
    generation: String(object.generation),
    metageneration: "1",
    size: String(object.bytes.length),
    contentType: object.contentType,
    crc32c: crc32cBase64(object.bytes),
    md5Hash: md5Base64(object.bytes),
    metadata: object.metadata,
  };
}

function md5Base64(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("base64");
}

const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  }
  return value >>> 0;
});

/** CRC-32C (Castagnoli), big-endian in base64, computed without the SDK that it is to check. */
export function crc32cBase64(bytes: Uint8Array): string {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC32C_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8)) >>> 0;
  const out = Buffer.alloc(4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return out.toString("base64");
}
