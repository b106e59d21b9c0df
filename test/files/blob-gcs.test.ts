import { expect, it } from "vitest";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { crc32cBase64, startGcsServer } from "../servers/gcs.ts";
import { startRudeProxy } from "../servers/rude-proxy.ts";
import { aBlob, testBlobStore, testRemoteBlobStore } from "./blob-store.suite.ts";

const BUCKET = "archive-test";

const open = async () => {
  const server = await startGcsServer([BUCKET]);
  const proxy = await startRudeProxy(server.url);
  const store = await openBlobStore(
    { clock: systemClock, random: systemRandom },
    { kind: "gcs", bucket: BUCKET, endpoint: proxy.url },
  );
  const close = async () => {
    await proxy.close();
    await server.close();
  };
  return { store, proxy, server, close };
};

testBlobStore("the Google Cloud Storage store", open);
testRemoteBlobStore("the Google Cloud Storage store", open);

it("metadata has Google's own header names [ARC-09] [ARC-10]", async () => {
  const { store, server, close } = await open();
  await store.put(aBlob("names/note.pdf"));
  expect(server.headersOf(BUCKET, "names/note.pdf")).toMatchObject({
    "x-goog-meta-sender-email": "john.doe@company.com",
    "x-goog-meta-source": "graph_webhook",
  });
  await close();
});

it("the test server computes CRC-32C as published (RFC 3720, B.4)", () => {
  expect(crc32cBase64(Buffer.alloc(32))).toBe(Buffer.from("8a9136aa", "hex").toString("base64"));
  expect(crc32cBase64(Buffer.from("123456789"))).toBe(
    Buffer.from("e3069283", "hex").toString("base64"),
  );
});
