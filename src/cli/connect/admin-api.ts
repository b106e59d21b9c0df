/** A service of Microsoft as an administrator calls it, with a token that the administrator brings. */
import { whyUnsafeUrl } from "../../config/safe-values.ts";
import { Fault, type FaultCode } from "../../lib/fault.ts";
import { createHttp } from "../../lib/http.ts";
import { CommandError, EXIT } from "../base/exit.ts";

export interface AdminApi {
  get<T>(path: string): Promise<T>;
  /** All pages; Graph may send empty ones in between. Null if there is no such collection. */
  list<T>(path: string): Promise<T[] | null>;
  /** The first object that a filter finds. */
  findOne<T>(path: string, filter: string): Promise<T | null>;
  post<T>(path: string, body: object): Promise<T>;
  put(path: string, body: object): Promise<void>;
  close(): Promise<void>;
}

interface Service {
  readonly name: string;
  readonly origin: string;
  /** Before every path. */
  readonly root: string;
  readonly unavailable: FaultCode;
  readonly badAnswer: FaultCode;
  /** What a token must allow. */
  readonly needs: string;
}

export const graphOf = (url: string): Service => ({
  name: "Graph",
  origin: safeOrigin("--graph-url", url),
  root: "/v1.0",
  unavailable: "graph.unavailable",
  badAnswer: "graph.bad-answer",
  needs: "Application.ReadWrite.All and AppRoleAssignment.ReadWrite.All",
});

/** As the app itself, to prepare its own containers. */
export const containersOf = (url: string): Service => ({
  ...graphOf(url),
  needs:
    "FileStorageContainer.Selected and FileStorageContainerTypeReg.Selected, and the app must own the container type",
});

/** As an administrator of SharePoint Embedded. */
export const typesOf = (url: string): Service => ({
  ...graphOf(url),
  needs:
    "FileStorageContainerType.Manage.All, delegated, and the role SharePoint Embedded Administrator",
});

export const dataverseOf = (url: string): Service => ({
  name: "Dataverse",
  origin: safeOrigin("--url", url),
  root: "/api/data/v9.2",
  unavailable: "dataverse.unavailable",
  badAnswer: "dataverse.rejected",
  needs: "the role System Administrator in the environment",
});

/** An administrator's token can do anything to the tenant, so it is sent nowhere in plain text. */
function safeOrigin(option: string, url: string): string {
  const problem = whyUnsafeUrl(url);
  if (problem !== null) throw new CommandError(`${option} ${problem}`, EXIT.usage);
  return new URL(url).origin;
}

export function openAdminApi(service: Service, token: string): AdminApi {
  const { name, origin, root, unavailable } = service;
  const http = createHttp({ allowedOrigins: [origin], unavailable });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await http({
      method,
      url: path.startsWith("/") ? `${origin}${root}${path}` : path,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== unavailable) throw error;
      const words = `${name} cannot be reached at ${origin}; check the address, or try again later`;
      throw new Fault(unavailable, words, { cause: error });
    });
    const text = answer.body.toString("utf8");
    if (answer.status >= 200 && answer.status < 300)
      return (text === "" ? undefined : JSON.parse(text)) as T;
    if (answer.status === 404) throw new Missing(service, path);
    throw toError(service, answer.status, text, path);
  };
  return {
    get: (path) => call("GET", path),
    findOne: async <T>(path: string, filter: string) => {
      const { value } = await call<{ value: T[] }>(
        "GET",
        `${path}?$filter=${encodeURIComponent(filter)}`,
      );
      return value[0] ?? null;
    },
    async list<T>(path: string) {
      const all: T[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: Page<T> | null = await call<Page<T>>("GET", next).catch((error: unknown) => {
          if (error instanceof Missing) return null;
          throw error;
        });
        if (page === null) return null;
        all.push(...page.value);
        next = page["@odata.nextLink"];
      }
      return all;
    },
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    close: () => http.close(),
  };
}

interface Page<T> {
  readonly value: readonly T[];
  readonly "@odata.nextLink"?: string;
}

class Missing extends Fault {
  constructor({ name, badAnswer }: Service, path: string) {
    super(badAnswer, `${name} does not know ${path.split("?")[0]}`);
  }
}

function toError({ name, needs, badAnswer }: Service, status: number, body: string, path: string) {
  const [place] = path.split("?");
  if (status === 401)
    return new CommandError(
      `${name} does not accept the token; it may have expired, get a new one`,
      EXIT.usage,
    );
  if (status === 403)
    return new CommandError(`the token does not allow ${place}: it needs ${needs}`);
  const code = /"code"\s*:\s*"(\w+)"/.exec(body)?.[1] ?? "no code";
  return new Fault(badAnswer, `${name} answered ${place} with ${status} ${code}`);
}

/** A string literal in OData. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
