import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { EvidenceBundle, EvidenceSelector } from "../archive/evidence.ts";
import { parse } from "./http/parse.ts";
import { notFound } from "./http/problem.ts";

export interface EvidenceRoutesNeeds {
  readonly gather: (subject: EvidenceSelector) => Promise<EvidenceBundle | null>;
}

const Query = z.object({ kind: z.enum(["message", "trade"]), id: z.string().min(1).max(500) });

/** The parts of an evidence folder; bytes travel as base64 and the command line writes the folder. */
export function registerEvidenceRoutes(app: FastifyInstance, needs: EvidenceRoutesNeeds): void {
  app.get("/api/evidence", { config: { access: "reviewer" } }, async (request) => {
    const subject = parse(Query, request.query);
    const bundle = await needs.gather(subject);
    if (bundle === null) throw notFound(`no contract note is known of this ${subject.kind}`);
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
  });
}
