import type { FastifyInstance } from "fastify";
import { type DiagnosisNeeds, diagnose } from "../mailbox/operating/diagnose.ts";

export interface DoctorRoutesNeeds {
  readonly diagnosis: DiagnosisNeeds;
}

export function registerDoctorRoutes(app: FastifyInstance, needs: DoctorRoutesNeeds): void {
  app.get<{ Querystring: { outside?: string } }>(
    "/api/doctor",
    { config: { access: "operator" } },
    async (request) => {
      const { outside } = request.query;
      return diagnose(needs.diagnosis, typeof outside === "string" ? outside : undefined);
    },
  );
}
