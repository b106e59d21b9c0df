/** A server with search, and documents that different people may read. */
import type { AppOptions } from "../../src/app.ts";
import type { AskAnswer, SearchAnswer } from "../../src/flows/specs/search.ts";
import { aDocumentScene, aPerson, type DocumentScene, type Person } from "../documents/scene.ts";

export interface AnswerScene extends DocumentScene {
  readonly priya: Person;
  /** Files a document that nobody but the given people may read, indexes it, and returns its id. */
  aDocument(
    name: string,
    body: Buffer | string,
    readers: readonly Person[],
    parent?: string,
  ): Promise<string>;
  /** Replaces the content of a document and touches its record. */
  rewrite(documentId: string, name: string, body: string): Promise<void>;
  share(person: Person, documentId: string): void;
  unshare(person: Person, documentId: string): void;
  /** Brings the index up to date with the tenant. */
  follow(): Promise<void>;
  search(
    person: Person | null,
    query: Record<string, string | number>,
  ): Promise<SearchAnswer & { status: number }>;
  ask(person: Person | null, question: string): Promise<AskAnswer & { status: number }>;
}

export async function anAnswerScene(
  options: { settings?: Record<string, string>; app?: AppOptions } = {},
): Promise<AnswerScene> {
  const scene = await aDocumentScene({
    tenant: { switches: { deliveryDelayMs: 0 } },
    settings: options.settings ?? {},
    app: { roles: ["api", "worker"], ...options.app },
  });
  const { tenant, app } = scene;
  const { admin } = tenant.dataverse;
  const priya = aPerson(tenant, 3);
  const people = [scene.nina, scene.omar, priya];
  for (const { user } of people) admin.setScope(user.id, "user");
  const headersOf = (person: Person | null) =>
    person?.headers ?? { authorization: `Bearer ${app.operatorKey}` };
  let count = 0;
  const aDocument: AnswerScene["aDocument"] = async (name, body, readers, parent) => {
    count += 1;
    const bytes = Buffer.from(body);
    const item = tenant.drives.admin.putFile(scene.containerId, `${count}/${name}`, bytes);
    const row = await admin.create("sprk_document", {
      sprk_documentname: name,
      sprk_filename: name,
      sprk_graphdriveid: scene.containerId,
      sprk_graphitemid: item.id,
      sprk_filepath: `https://files.example/${name}`,
      ...(parent === undefined ? {} : { "sprk_Matter@odata.bind": `/sprk_matters(${parent})` }),
    });
    for (const { user } of readers) admin.share(user.id, "sprk_document", row.id, ["ReadAccess"]);
    return row.id;
  };
  return {
    ...scene,
    priya,
    aDocument,
    async rewrite(documentId, name, body) {
      count += 1;
      const path = `${count}/${name}`;
      const item = tenant.drives.admin.putFile(scene.containerId, path, Buffer.from(body));
      await admin.update("sprk_document", documentId, { sprk_graphitemid: item.id });
    },
    share: ({ user }, id) => admin.share(user.id, "sprk_document", id, ["ReadAccess"]),
    unshare: ({ user }, id) => admin.unshare(user.id, "sprk_document", id),
    async follow() {
      const { followChanges } = await import("../../src/flows/documents/follow-documents.ts");
      await followChanges({ ...app.answers!.index });
      await app.jobs.workUntilIdle();
    },
    async search(person, query) {
      const text = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const answer = await app.server.inject({
        url: `/api/search?${text}`,
        headers: headersOf(person),
      });
      return { ...answer.json(), status: answer.statusCode };
    },
    async ask(person, question) {
      const answer = await app.server.inject({
        method: "POST",
        url: "/api/ask",
        headers: headersOf(person),
        payload: { question },
      });
      return { ...answer.json(), status: answer.statusCode };
    },
  };
}
