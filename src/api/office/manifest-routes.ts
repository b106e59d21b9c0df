/** The files with which an administrator deploys the add-in; they hold nothing but addresses. */
import type { FastifyRequest } from "fastify";
import type { ApiScope } from "../openapi.ts";
import { documentManifest, type ManifestFacts, mailManifest, unifiedManifest } from "./manifest.ts";

export interface ManifestRoutesNeeds {
  readonly identity: ManifestFacts["identity"];
  /** Where the internet reaches this server; null if that is the address of the request. */
  readonly publicOrigin: string | null;
}

export function registerManifestRoutes(app: ApiScope, needs: ManifestRoutesNeeds): void {
  const factsOf = ({ protocol, headers }: FastifyRequest): ManifestFacts => ({
    origin: needs.publicOrigin ?? plainOrigin(`${protocol}://${headers.host ?? "localhost"}`),
    identity: needs.identity,
  });
  const config = { access: "open" } as const;
  const schema = { hide: true };
  app.get("/addin/manifest.json", { config, schema }, async (request) =>
    unifiedManifest(factsOf(request)),
  );
  app.get("/addin/manifest-outlook.xml", { config, schema }, async (request, reply) =>
    reply.type("application/xml; charset=utf-8").send(mailManifest(factsOf(request))),
  );
  app.get("/addin/manifest-documents.xml", { config, schema }, async (request, reply) =>
    reply.type("application/xml; charset=utf-8").send(documentManifest(factsOf(request))),
  );
}

/** A Host header is whatever the caller wrote; only a plain address goes into a file. */
function plainOrigin(text: string): string {
  return /^https?:\/\/[\w.-]+(?::\d{1,5})?$/.test(text) ? text : "https://localhost";
}
