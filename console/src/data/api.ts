/** Every call to the server: with the token that is in memory, with refusals as one kind of error. */
import { noteAnswer, noteSilence } from "./connection.ts";

export class ApiProblem extends Error {
  readonly status: number;
  readonly detail: string;
  readonly correlationId: string | null;
  readonly retryAfterSeconds: number | null;
  constructor(problem: {
    status: number;
    detail: string;
    correlationId?: string | null;
    retryAfterSeconds?: number | null;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.detail = problem.detail;
    this.correlationId = problem.correlationId ?? null;
    this.retryAfterSeconds = problem.retryAfterSeconds ?? null;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Keyring {
  token(): Promise<string | null>;
  /** The server no longer accepts the token. */
  refused(): void;
}

let keyring: Keyring = { token: async () => null, refused: () => {} };

export function setKeyring(next: Keyring): void {
  keyring = next;
}

export function toUrl(path: string, query: Query = {}): string {
  const parameters = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  if (parameters.length === 0) return path;
  return `${path}?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

export async function ask<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await request("GET", toUrl(path, query), { signal })).json() as Promise<T>;
}

export async function tell<T>(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: object,
  options: { isOpen?: boolean } = {},
): Promise<T> {
  const answer = await request(method, path, { body, ...options });
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Microsoft's library has errors of its own for a network that is away; the reader waits for both in the same way. */
async function tokenNow(): Promise<string | null> {
  try {
    return await keyring.token();
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    throw new ApiProblem({ status: 0, detail: "The sign-in does not answer." });
  }
}

export interface RequestOptions {
  readonly body?: object | FormData | Blob | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Needs no token, because it is how one gets a token. */
  readonly isOpen?: boolean;
}

export async function request(
  method: string,
  url: string,
  { body, signal, headers = {}, isOpen = false }: RequestOptions = {},
): Promise<Response> {
  const token = isOpen ? null : await tokenNow();
  const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof Blob);
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    noteSilence(null);
    throw new ApiProblem({ status: 0, detail: "No answer from the server." });
  }
  if (answer.status === 503 || answer.status === 429)
    noteSilence(Number(answer.headers.get("retry-after")) || null);
  else noteAnswer();
  if (answer.ok) return answer;
  if (answer.status === 401) keyring.refused();
  throw await toProblem(answer);
}

/** A body with progress, which fetch cannot report. */
export async function send<T>(
  method: string,
  url: string,
  { body, headers = {}, onProgress, signal, accepts = [] }: SendOptions,
): Promise<T> {
  const token = await tokenNow();
  const call = new XMLHttpRequest();
  call.open(method, url);
  if (token !== null) call.setRequestHeader("authorization", `Bearer ${token}`);
  call.setRequestHeader("content-type", "application/octet-stream");
  for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
  call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  signal.addEventListener("abort", () => call.abort());
  await new Promise<void>((done, fail) => {
    call.onload = () => done();
    call.onabort = () => fail(new ApiProblem({ status: 0, detail: "The upload was stopped." }));
    call.onerror = () => fail(new ApiProblem({ status: 0, detail: "No answer from the server." }));
    call.send(body);
  });
  const isAccepted = (call.status >= 200 && call.status < 300) || accepts.includes(call.status);
  if (isAccepted) return JSON.parse(call.responseText) as T;
  if (call.status === 401) keyring.refused();
  throw await toProblem(new Response(call.responseText, { status: call.status }));
}

interface SendOptions {
  readonly body: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
  /** Other statuses whose body is an answer, not a failure. */
  readonly accepts?: readonly number[];
}

async function toProblem(answer: Response): Promise<ApiProblem> {
  const text = await answer.text().catch(() => "");
  const retryAfterSeconds = Number(answer.headers.get("retry-after")) || null;
  try {
    const body = JSON.parse(text) as { detail?: string; title?: string; correlationId?: string };
    return new ApiProblem({
      status: answer.status,
      detail: body.detail ?? body.title ?? `The server answered ${answer.status}.`,
      correlationId: body.correlationId ?? null,
      retryAfterSeconds,
    });
  } catch {
    return new ApiProblem({
      status: answer.status,
      detail: `The server answered ${answer.status}.`,
      retryAfterSeconds,
    });
  }
}
