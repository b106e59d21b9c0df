import { ContainerClient } from "@azure/storage-blob";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { Secret } from "../../src/lib/redact.ts";
import { startAzurite } from "../servers/azurite.ts";
import { startRudeProxy } from "../servers/rude-proxy.ts";
import { testBlobStore, testRemoteBlobStore } from "./blob-store.suite.ts";

const CONTAINER = "archive-test";

const open = async () => {
  const server = await startAzurite();
  const proxy = await startRudeProxy(server.url);
  const connectionString = server.connectionString(proxy.url);
  await new ContainerClient(connectionString, CONTAINER).createIfNotExists();
  const store = await openBlobStore(
    { clock: systemClock, random: systemRandom },
    { kind: "azure", container: CONTAINER, connectionString: new Secret(connectionString) },
  );
  const close = async () => {
    await proxy.close();
    await server.close();
  };
  return { store, proxy, close };
};

testBlobStore("the Azure Blob store", open);
testRemoteBlobStore("the Azure Blob store", open);
