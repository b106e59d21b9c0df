import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitSlowness } from "./slow-senders.ts";

const WINDOW_MS = 1_000;

let server: Server;
// A window passes when the test says so; the sockets do not wait for it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});
const passWindow = () => void vi.advanceTimersByTime(WINDOW_MS);

/** A server that reads bodies when `reads` resolves, and a client that has sent the headers. */
async function aSender(bytesPerSecond: number, reads: Promise<void> = Promise.resolve()) {
  let arrived = (_request: IncomingMessage): void => {};
  const request = new Promise<IncomingMessage>((resolve) => (arrived = resolve));
  server = createServer(async (request, response) => {
    limitSlowness(request, response, { bytesPerSecond, windowMs: WINDOW_MS });
    request.on("error", () => {});
    arrived(request);
    await reads;
    request.resume().on("end", () => response.end("whole"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\nconnection: close\r\n\r\n");
  const { socket: received } = await request;
  return {
    socket,
    /** Resolves when the server has them. */
    async send(count: number): Promise<void> {
      const before = received.bytesRead;
      socket.write("x".repeat(count));
      await expect.poll(() => received.bytesRead - before, { interval: 5 }).toBe(count);
    },
  };
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
    const { socket, send } = await aSender(1_000);
    const answer = answerOf(socket);
    await send(999);
    passWindow();
    expect(await answer).toBe("");
  });

  it("may take longer than one window while bytes keep coming", async () => {
    const { socket, send } = await aSender(100);
    const answer = answerOf(socket);
    for (let window = 0; window < 9; window++) {
      await send(100);
      passWindow();
    }
    await send(100);
    expect(await answer).toContain("whole");
  });

  it("is not disconnected while its bytes wait for us", async () => {
    let read = (): void => {};
    const reads = new Promise<void>((resolve) => {
      read = resolve;
    });
    const { socket, send } = await aSender(1_000, reads);
    const answer = answerOf(socket);
    await send(999);
    for (let window = 0; window < 3; window++) passWindow();
    await send(1);
    read();
    expect(await answer).toContain("whole");
  });
});
