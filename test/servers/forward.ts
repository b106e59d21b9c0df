import { request as httpRequest, type IncomingMessage } from "node:http";

export async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Sends the request on, body already read, and answers with the whole answer. */
export function forward(
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; headers: Record<string, string | string[]>; body: Buffer }> {
  const { hostname, port } = new URL(target);
  return new Promise((done, fail) => {
    const headers = { ...incoming.headers };
    delete headers["transfer-encoding"];
    delete headers.expect;
    if (body.length > 0 || headers["content-length"] !== undefined) {
      headers["content-length"] = String(body.length);
    }
    const passed = httpRequest(
      { hostname, port, method: incoming.method, path: incoming.url, headers, agent: false },
      (answer) => {
        readAll(answer)
          .then((answered) => {
            const kept = { ...answer.headers } as Record<string, string | string[]>;
            delete kept["transfer-encoding"];
            if (incoming.method !== "HEAD") kept["content-length"] = String(answered.length);
            done({ status: answer.statusCode ?? 502, headers: kept, body: answered });
          })
          .catch(fail);
      },
    );
    passed.on("error", fail);
    passed.end(body);
  });
}
