import type { EvidenceBundle, EvidenceSelector } from "../../archive/evidence.ts";
import type { Database } from "../../store/database.ts";
import { notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/ingestion.ts";
import { loadTrade } from "./trades-routes.ts";

export interface EvidenceRoutesNeeds {
  readonly database: Database;
  readonly gather: (subject: EvidenceSelector) => Promise<EvidenceBundle | null>;
}

/** The parts of an evidence folder; bytes are sent as base64, and the command line writes the folder. */
export function registerEvidenceRoutes(app: ApiScope, needs: EvidenceRoutesNeeds): void {
  app.get(
    "/api/evidence",
    { config: { access: "reviewer" }, schema: schemas.getEvidence },
    async (request) => {
      const asked = request.query;
      const subject =
        asked.kind === "trade"
          ? { ...asked, id: (await loadTrade(needs.database, asked.id)).id }
          : asked;
      const bundle = await needs.gather(subject);
      if (bundle === null) throw notFound(`no contract note is known for this ${subject.kind}`);
      const toText = (bytes: Uint8Array | null) =>
        bytes === null ? null : Buffer.from(bytes).toString("base64");
      return {
        ...bundle,
        messages: bundle.messages.map((message) => ({ ...message, eml: toText(message.eml) })),
        documents: bundle.documents.map((document) => ({
          ...document,
          bytes: toText(document.bytes),
        })),
      };
    },
  );
}
