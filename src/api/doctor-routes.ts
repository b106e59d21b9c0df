import { type DiagnosisNeeds, diagnose } from "../mailbox/operating/diagnose.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/ingestion.ts";

export interface DoctorRoutesNeeds {
  readonly diagnosis: DiagnosisNeeds;
}

export function registerDoctorRoutes(app: ApiScope, needs: DoctorRoutesNeeds): void {
  app.get(
    "/api/doctor",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.diagnose },
    async (request) => diagnose(needs.diagnosis, request.query.outside),
  );
}
