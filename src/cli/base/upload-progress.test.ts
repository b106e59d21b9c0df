import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../lib/hash.ts";
import { createHttp } from "../../lib/http.ts";
import { createOutput } from "./output.ts";
import { type SizedStream, withProgress } from "./upload-progress.ts";

const BYTES = Buffer.from(Array.from({ length: 3_000_000 }, (_, n) => n % 251));

function watched(isWatched: boolean) {
  let shown = "";
  const writeNote = (text: string) => {
    shown += text;
  };
  return { output: createOutput({ isWatched, writeNote }), shown: () => shown };
}

describe("a large file that a person sends", () => {
  it("arrives whole and with its length, while a line counts to its end", async () => {
    const { output, shown } = watched(true);
    const received: { length?: string | undefined; hash?: string } = {};
    const server = createServer(async (request: IncomingMessage, response) => {
      received.length = request.headers["content-length"];
      received.hash = sha256Hex(await buffer(request));
      response.end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const http = createHttp({ allowedOrigins: [origin], unavailable: "store.unavailable" });
    const stream = withProgress(BYTES, output) as SizedStream;
    const headers = { "content-length": String(stream.size) };
    await http({ method: "PUT", url: origin, headers, stream });
    await http.close();
    server.close();
    expect(received).toEqual({ length: "3000000", hash: sha256Hex(BYTES) });
    expect(shown().split("\r")[1]).toBe("0.3 of 3.0 MB sent");
    expect(shown()).toMatch(/\r3\.0 of 3\.0 MB sent\n$/);
  });

  it("shows nothing if nobody watches or the file is small", () => {
    const { output, shown } = watched(false);
    expect(withProgress(BYTES, output)).toBe(BYTES);
    expect(withProgress(BYTES.subarray(0, 1_000), watched(true).output)).toHaveLength(1_000);
    expect(shown()).toBe("");
  });
});
