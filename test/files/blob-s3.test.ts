import { expect, it } from "vitest";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { Secret } from "../../src/lib/redact.ts";
import { startRudeProxy } from "../servers/rude-proxy.ts";
import { startS3Server } from "../servers/s3.ts";
import { testBlobStore, testRemoteBlobStore } from "./blob-store.suite.ts";

const open = async ({ isStrict = true } = {}) => {
  const server = await startS3Server({ isStrict });
  const proxy = await startRudeProxy(server.url);
  const store = await openBlobStore(
    { clock: systemClock, random: systemRandom },
    {
      kind: "s3",
      bucket: server.bucket,
      region: "us-east-1",
      endpoint: proxy.url,
      accessKeyId: server.accessKeyId,
      secretAccessKey: new Secret(server.secretAccessKey),
    },
  );
  const close = async () => {
    await proxy.close();
    await server.close();
  };
  return { store, proxy, close };
};

testBlobStore("the S3 store", () => open());
testRemoteBlobStore("the S3 store", () => open());

it("a service that ignores create-only writes is refused by the probe", async () => {
  const { store, close } = await open({ isStrict: false });
  await expect(store.probe()).rejects.toMatchObject({
    code: "settings.bad",
    remedy: "ask-a-person",
  });
  await store.close();
  await close();
});
