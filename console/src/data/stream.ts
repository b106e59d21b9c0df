/**
 * Server-sent events over fetch, because a token belongs in a header and not in a URL. A broken stream continues
 * after its last event; a hidden tab closes it and reopens it when it is visible.
 */
import { ApiProblem, request } from "./api.ts";

export interface StreamEvent {
  readonly name: string;
  readonly id: string | null;
  readonly data: unknown;
}

const PAUSE_MS = 3_000;

export function follow(
  url: string,
  on: { event(event: StreamEvent): void; live(isLive: boolean): void },
): () => void {
  let lastId: string | null = null;
  let current: AbortController | null = null;
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver && !document.hidden) {
      current = new AbortController();
      try {
        const headers = {
          accept: "text/event-stream",
          ...(lastId ? { "last-event-id": lastId } : {}),
        };
        const answer = await request("GET", url, { signal: current.signal, headers });
        on.live(true);
        await read(answer.body!, (event) => {
          lastId = event.id ?? lastId;
          on.event(event);
        });
      } catch (error) {
        if (isOver || current.signal.aborted) break;
        // An expired token is renewed over the page, and the stream goes on with the new one.
        if (error instanceof ApiProblem && error.status === 403) isOver = true;
      }
      on.live(false);
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    current = null;
  };
  const onVisibility = () => {
    if (document.hidden) current?.abort();
    else if (current === null) void run();
  };
  document.addEventListener("visibilitychange", onVisibility);
  void run();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", onVisibility);
    current?.abort();
  };
}

async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = toEvent(block);
      if (event !== null) onEvent(event);
    }
  }
}

function toEvent(block: string): StreamEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
    }),
  );
  const data = fields.get("data");
  if (data === undefined) return null;
  return {
    name: fields.get("event") ?? "message",
    id: fields.get("id") ?? null,
    data: JSON.parse(data),
  };
}
