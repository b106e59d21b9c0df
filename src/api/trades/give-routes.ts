/** What a reviewer gives for a document that could not be read: its password, or another file in its place. */
import type { ReadAgain, ReadAgainAnswer } from "../../flows/specs/read-again.ts";
import { FILE_BYTES_MAX } from "../../reading/admit-file.ts";
import { nameOf } from "../access/auth.ts";
import { conflict, notFound, unprocessable } from "../http/problem.ts";
import { type ApiScope, typed } from "../openapi.ts";
import * as schemas from "../schemas/reviews.ts";

export async function registerGiveRoutes(
  app: ApiScope,
  { readAgain }: { readonly readAgain: ReadAgain },
): Promise<void> {
  app.post(
    "/api/reviews/:id/password",
    { config: { access: "reviewer" }, schema: schemas.givePassword },
    async (request, reply) => {
      const id = idOf(request.params.id);
      const help = { kind: "password", password: request.body.password } as const;
      return reply.code(202).send(toReply(id, await readAgain(id, help, nameOf(request.caller))));
    },
  );

  // A separate scope, so that other routes do not accept files.
  await app.register(async (plain) => {
    const scope = typed(plain);
    scope.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_, body, done) =>
      done(null, body),
    );
    scope.put(
      "/api/reviews/:id/file",
      {
        config: { access: "reviewer" },
        schema: schemas.giveFile,
        bodyLimit: FILE_BYTES_MAX,
      },
      async (request, reply) => {
        const id = idOf(request.params.id);
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const help = { kind: "file", filename: request.query.filename, bytes } as const;
        return reply.code(202).send(toReply(id, await readAgain(id, help, nameOf(request.caller))));
      },
    );
  });
}

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw unknown(text);
  return Number(text);
}

const unknown = (id: string | number) =>
  notFound(`there is no question ${id}; postroom review list shows the open ones`);

function toReply(id: number, answer: ReadAgainAnswer) {
  if (answer.kind === "unknown") throw unknown(id);
  if (answer.kind === "objection") throw conflict(answer.why);
  if (answer.kind === "unreadable") throw unprocessable(answer.why);
  const { decision, jobId } = answer;
  return { id, decision, jobId, statusUrl: `/api/jobs/${jobId}/status` };
}
