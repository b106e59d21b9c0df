/** Every route of the Office add-in, in a scope whose refusals have the add-in's codes. */
import { type ApiScope, typed } from "../openapi.ts";
import { type OfficeFindRoutesNeeds, registerOfficeFindRoutes } from "./find-routes.ts";
import { type OfficeJobRoutesNeeds, registerOfficeJobRoutes } from "./job-routes.ts";
import { handleOfficeErrors } from "./office-problem.ts";
import { type OfficeSaveRoutesNeeds, registerSaveRoutes } from "./save-routes.ts";
import { registerOfficeShareRoutes } from "./share-routes.ts";

export type OfficeRoutesNeeds = OfficeSaveRoutesNeeds &
  OfficeJobRoutesNeeds &
  OfficeFindRoutesNeeds;

export async function registerOfficeRoutes(app: ApiScope, needs: OfficeRoutesNeeds): Promise<void> {
  await app.register(async (plain) => {
    handleOfficeErrors(plain);
    const scope = typed(plain);
    registerOfficeJobRoutes(scope, needs);
    registerOfficeFindRoutes(scope, needs);
    registerOfficeShareRoutes(scope, needs);
    await registerSaveRoutes(scope, needs);
  });
}
