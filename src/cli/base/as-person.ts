/** Signs in as one of the sample people of the local tenant, as a script does, with the password they all have. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPlace, processEnvironment } from "../../config.ts";
import { createHttp, type Http } from "../../lib/http.ts";
import { CommandError } from "./exit.ts";

/** What `postroom up` writes for the command line about its tenant. */
export interface LocalTenant {
  readonly entra: string;
  readonly tenantId: string;
  readonly apiAppId: string;
  /** The app that people sign in with. */
  readonly pageAppId: string;
  readonly people: readonly string[];
}

/** Not `tenant.json`, in which the tenant itself says where it runs. */
export const LOCAL_TENANT_FILE = "sample-people.json";
/** The tenant gives all its people the same password; it is not a secret. */
const PASSWORD = "Passw0rd!";

/** A token for `nina.berg` or `nina.berg@ashdown.example`. */
export async function tokenOfPerson(person: string): Promise<string> {
  const tenant = readLocalTenant();
  const name = tenant.people.find((known) => known === person || known.split("@")[0] === person);
  if (name === undefined)
    throw new CommandError(
      `there is no sample person ${person}; there are ${tenant.people.map((each) => each.split("@")[0]).join(", ")}`,
    );
  const http = createHttp({ allowedOrigins: [tenant.entra], unavailable: "identity.unavailable" });
  try {
    return (await signIn(http, tenant, name)).token;
  } finally {
    await http.close();
  }
}

export async function signIn(
  http: Http,
  tenant: Omit<LocalTenant, "people">,
  address: string,
): Promise<{ token: string; expiresInSeconds: number }> {
  const answer = await http({
    method: "POST",
    url: `${tenant.entra}/${tenant.tenantId}/oauth2/v2.0/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "password",
      client_id: tenant.pageAppId,
      username: address,
      password: PASSWORD,
      scope: `api://${tenant.apiAppId}/user_impersonation openid`,
    }).toString(),
  });
  if (answer.status !== 200) throw new CommandError(`the tenant did not sign ${address} in`);
  const body = JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>;
  return { token: String(body["access_token"]), expiresInSeconds: Number(body["expires_in"]) };
}

function readLocalTenant(): LocalTenant {
  const file = join(loadPlace(processEnvironment()).home, LOCAL_TENANT_FILE);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as LocalTenant;
  throw new CommandError("--as works only with the local tenant that `postroom up` runs");
}
