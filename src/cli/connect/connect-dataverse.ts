/** The app as a user of a Dataverse environment; without it, Dataverse refuses every call of the app. */

import { isUuid } from "../../lib/hash.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import type { AdminApi } from "./admin-api.ts";
import type { Step } from "./connect-app.ts";

interface SystemUser {
  readonly systemuserid: string;
}

/** Puts the user into the business unit of the administrator. It has no role yet, so it can do nothing. */
export async function connectDataverse(
  dataverse: AdminApi,
  { appId, isDryRun }: { readonly appId: string; readonly isDryRun: boolean },
): Promise<{ systemUserId: string | null; steps: Step[] }> {
  if (!isUuid(appId)) throw new CommandError("--app-id must be the id of an app", EXIT.usage);
  const id = appId.toLowerCase();
  const step = `application user of ${id}`;
  const found = await dataverse.findOne<SystemUser>("/systemusers", `applicationid eq ${id}`);
  if (found !== null)
    return { systemUserId: found.systemuserid, steps: [{ step, result: "exists" }] };
  if (isDryRun) return { systemUserId: null, steps: [{ step, result: "would be done" }] };
  const { BusinessUnitId: unit } = await dataverse.get<{ BusinessUnitId: string }>("/WhoAmI");
  const created = await dataverse.post<SystemUser>("/systemusers", {
    applicationid: id,
    "businessunitid@odata.bind": `/businessunits(${unit})`,
  });
  return { systemUserId: created.systemuserid, steps: [{ step, result: "done" }] };
}
