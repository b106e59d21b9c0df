import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { limitSlowness } from "./slow-senders.ts";

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that reads bodies when `reads` resolves, and the socket of a client that has sent the headers. */
async function aSender(
  limits: { bytesPerSecond: number; windowMs: number },
  reads: Promise<void> = Promise.resolve(),
): Promise<Socket> {
  server = createServer(async (request, response) => {
    limitSlowness(request, response, limits);
    request.on("error", () => {});
    await reads;
    request.resume().on("end", () => response.end("whole"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\nconnection: close\r\n\r\n");
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  await once(socket, "close");
  return text;
}

describe("the sender of a file", () => {
  it("is disconnected if fewer bytes arrive than the rate demands", async () => {
    const socket = await aSender({ bytesPerSecond: 1_000, windowMs: 200 });
    const answer = answerOf(socket);
    socket.write("x");
    expect(await answer).toBe("");
  });

  it("may take longer than one window while bytes keep coming", async () => {
    const socket = await aSender({ bytesPerSecond: 1, windowMs: 1_000 });
    const answer = answerOf(socket);
    for (let piece = 0; piece < 20; piece++) {
      socket.write("x".repeat(50));
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(await answer).toContain("whole");
  });

  it("is not disconnected while its bytes wait for us", async () => {
    let read = (): void => {};
    const socket = await aSender(
      { bytesPerSecond: 1_000, windowMs: 1_000 },
      new Promise((resolve) => {
        read = resolve;
      }),
    );
    const answer = answerOf(socket);
    socket.write("x".repeat(999));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    socket.write("x");
    read();
    expect(await answer).toContain("whole");
  });
});
