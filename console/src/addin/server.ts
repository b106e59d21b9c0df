/** The pane's calls to Postroom. */
export interface FoundPlace {
  readonly entityType: string;
  readonly id: string;
  readonly name: string;
  readonly info: string | null;
}

export interface FiledDocument {
  readonly documentId: string;
  readonly webUrl: string | null;
  readonly target: FoundPlace;
}

export interface FoundDocument {
  readonly documentId: string;
  readonly name: string;
}

export interface JobStatus {
  readonly status: "Queued" | "Running" | "Completed" | "Failed" | "Cancelled";
  readonly progress: number;
  readonly currentPhase: string | null;
  readonly result: {
    readonly artifact: { readonly id: string; readonly webUrl: string | null };
  } | null;
  readonly error: { readonly message: string } | null;
}

export interface WrittenAnalysis {
  readonly documentId: string;
  readonly name: string;
  readonly state: "waiting" | "running" | "completed" | "failed";
  readonly content: string;
  readonly error: string | null;
}

export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

export type GetToken = () => Promise<string>;

export function createServer(getToken: GetToken) {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${await getToken()}` },
    });
    if (answer.ok) return answer;
    const problem = (await answer.json().catch(() => ({}))) as {
      errorCode?: string;
      detail?: string;
    };
    throw new Refusal(
      problem.errorCode ?? String(answer.status),
      problem.detail ?? answer.statusText,
    );
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  return {
    async look(hints: Readonly<Record<string, string>>) {
      const answer = await call(`/office/recent?${new URLSearchParams(hints)}`);
      return (await answer.json()) as {
        recent: FoundPlace[];
        suggested: FoundPlace[];
        filed: FiledDocument[];
      };
    },
    async search(query: string, signal: AbortSignal): Promise<FoundPlace[]> {
      const answer = await call(`/office/search/entities?${new URLSearchParams({ q: query })}`, {
        signal,
      });
      return ((await answer.json()) as { results: FoundPlace[] }).results;
    },
    async searchDocuments(query: string, signal: AbortSignal): Promise<FoundDocument[]> {
      const answer = await call(`/office/search/documents?${new URLSearchParams({ q: query })}`, {
        signal,
      });
      return ((await answer.json()) as { results: FoundDocument[] }).results;
    },
    async link(documentId: string) {
      const answer = await post("/office/share/links", { documentIds: [documentId] });
      return ((await answer.json()) as { links: { name: string; url: string }[] }).links[0]!;
    },
    async file(documentId: string) {
      const answer = await post("/office/share/attach", { documentId });
      return (await answer.json()) as { fileName: string; contentBase64: string };
    },
    async create(name: string): Promise<FoundPlace> {
      return (
        await post("/office/quickcreate/sprk_matter", { name })
      ).json() as Promise<FoundPlace>;
    },
    async save(body: object, key: string) {
      const answer = await post("/office/save", body, { "x-idempotency-key": key });
      return (await answer.json()) as { jobId: string; duplicate: boolean };
    },
    async analyses(jobId: string, signal: AbortSignal): Promise<WrittenAnalysis[]> {
      const answer = await call(`/office/jobs/${jobId}/analyses`, { signal });
      return ((await answer.json()) as { analyses: WrittenAnalysis[] }).analyses;
    },
    follow: (jobId: string, onStatus: (status: JobStatus) => void) => follow(call, jobId, onStatus),
  };
}

export type Server = ReturnType<typeof createServer>;

/** Reads the stream to its end; if the connection breaks, it continues after the last event. */
async function follow(
  call: (path: string, init?: RequestInit) => Promise<Response>,
  jobId: string,
  onStatus: (status: JobStatus) => void,
): Promise<JobStatus> {
  let seen = "";
  let known: JobStatus = {
    status: "Queued",
    progress: 0,
    currentPhase: null,
    result: null,
    error: null,
  };
  for (let tries = 0; tries < 20; tries += 1) {
    const headers: Record<string, string> = seen === "" ? {} : { "last-event-id": seen };
    const answer = await call(`/office/jobs/${jobId}/stream`, { headers }).catch(
      (error: unknown) => {
        // A refusal is an answer; anything else means that nobody answered, as when the server restarts.
        if (error instanceof Refusal) throw error;
        return null;
      },
    );
    for await (const { event, id, data } of answer === null ? [] : readEvents(answer)) {
      if (id !== undefined) seen = id;
      if (event === "stage-update") {
        const { phase, progress } = data as { phase: string; progress: number };
        known = { ...known, status: "Running", currentPhase: phase, progress };
        onStatus(known);
      }
      if (event === "job-complete" || event === "job-failed") {
        onStatus(data as JobStatus);
        return data as JobStatus;
      }
    }
    await new Promise((done) => setTimeout(done, 1_000));
  }
  throw new Refusal("stream", "the connection was lost; the save continues");
}

async function* readEvents(answer: Response) {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    text += value ?? "";
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const event = field("event");
      if (event !== undefined)
        yield { event, id: field("id"), data: JSON.parse(field("data") ?? "{}") as unknown };
    }
  }
}
