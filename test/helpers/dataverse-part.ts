import type { OutgoingRequest } from "../../tenant/context.ts";
import { createDataversePart } from "../../tenant/dataverse/dataverse-part.ts";
import { createTenantRequest, type TenantResponse } from "../../tenant/http.ts";
import { createTestContext, tokenFor } from "./tenant-context.ts";

export const ADA_ID = "11111111-1111-4111-8111-111111111111";
export const APP_ID = "22222222-2222-4222-8222-222222222222";
export const APP = tokenFor({ appId: APP_ID });
export const ADA = tokenFor({
  appId: APP_ID,
  objectId: ADA_ID,
  isAppOnly: false,
  scopes: ["user_impersonation"],
});

export interface Ask {
  method?: string;
  /** Null sends none. */
  token?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Only Dataverse, on a virtual clock, with one user and one app; its outgoing requests are recorded. */
export function openDataverse() {
  const sent: OutgoingRequest[] = [];
  /** Statuses of the next responses; 200 if there are none. */
  const statuses: number[] = [];
  const context = createTestContext({
    clock: "virtual",
    async send(request) {
      sent.push(request);
      return { status: statuses.shift() ?? 200, headers: {}, body: "", tookMs: 1 };
    },
  });
  const servicePrincipalId = "33333333-3333-4333-8333-333333333333";
  const ada = { id: ADA_ID, displayName: "Ada", mail: "ada@x", userPrincipalName: "ada@x" };
  context.users.push(ada as never);
  context.apps.push({ appId: APP_ID, displayName: "App", servicePrincipalId } as never);
  const part = createDataversePart(context);

  const ask = async (
    path: string,
    { method = "GET", token = APP, headers = {}, body }: Ask = {},
  ) => {
    const answer = (await part.handle(
      createTenantRequest({
        method,
        target: `/api/data/v9.2/${path}`,
        headers: token === null ? headers : { authorization: token, ...headers },
        body: typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body),
      }),
    )) as TenantResponse;
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    return { ...answer, headers: answer.headers ?? {}, json: answer.body as any };
  };
  const matter = async (body: object = {}) =>
    (await part.admin.create("sprk_matter", { sprk_name: "M", ...body })).id;
  return { context, part, sent, statuses, ask, matter };
}
