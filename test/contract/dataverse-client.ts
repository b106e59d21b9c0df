/** A plain client for the Dataverse suites: requests in, status, headers and body out. */
export interface DataverseTarget {
  /** `https://org.crm.dynamics.com`, or the address of a local tenant. */
  readonly url: string;
  token(): Promise<string>;
  /** The object id of a user of the environment. */
  readonly userObjectId: string;
  /** Makes the next request fail at a service-protection limit; a real environment cannot. */
  exceed?(limit: "requests" | "time" | "concurrency"): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; empty for another content type. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  readonly json: any;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object | string;
}

export function createDataverseClient(target: DataverseTarget) {
  const ask = async (
    path: string,
    { method = "GET", headers = {}, body }: Call = {},
  ): Promise<Answer> => {
    const url = path.startsWith("http") ? path : `${target.url}/api/data/v9.2/${path}`;
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${await target.token()}`,
        accept: "application/json",
        "odata-version": "4.0",
        "odata-maxversion": "4.0",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: typeof body === "object" ? JSON.stringify(body) : body,
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get("content-type") ?? "");
    const json = isJson && text !== "" ? JSON.parse(text) : {};
    return { status: answer.status, headers: answer.headers, text, json };
  };
  const create = async (set: string, body: object, headers = {}): Promise<string> => {
    const made = await ask(set, { method: "POST", body, headers });
    const id = /\(([^)]+)\)$/.exec(made.headers.get("odata-entityid") ?? "")?.[1];
    if (id === undefined) throw new Error(`not created: ${made.status} ${made.text}`);
    return id;
  };
  return { ask, create };
}

export type DataverseClient = ReturnType<typeof createDataverseClient>;

/** Status and code of a refusal, to be compared at once. */
export function refusal({ status, json }: Answer): [number, string | undefined] {
  return [status, json.error?.code];
}
