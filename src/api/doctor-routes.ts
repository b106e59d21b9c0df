import type { FastifyInstance } from "fastify";
import { type DiagnosisNeeds, diagnose } from "../mailbox/operating/diagnose.ts";
import { type Authorize, assertOperator } from "./auth.ts";

export interface DoctorRoutesNeeds {
  readonly authorize: Authorize;
  readonly diagnosis: DiagnosisNeeds;
}

export function registerDoctorRoutes(app: FastifyInstance, needs: DoctorRoutesNeeds): void {
  app.get<{ Querystring: { outside?: string } }>("/api/doctor", async (request) => {
    assertOperator(await needs.authorize(request), "look into the set-up");
    const { outside } = request.query;
    return diagnose(needs.diagnosis, typeof outside === "string" ? outside : undefined);
  });
}
