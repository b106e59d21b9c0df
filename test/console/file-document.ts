/** Files a document as a sample person, who may therefore read it. */
import { until } from "../helpers/app.ts";
import type { Console } from "./open-console.ts";

export interface Filed {
  readonly documentId: string;
  readonly authorization: string;
}

export async function fileAs(
  app: Console,
  person: string,
  { name, body }: { name: string; body: Buffer | string },
): Promise<Filed> {
  const { people } = await app.ask<{ people: { id: string; name: string }[] }>(
    "/api/console/settings",
  );
  const { token } = await app.ask<{ token: string }>("/api/console/sample-token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ personId: people.find((each) => each.name === person)!.id }),
  });
  const authorization = `Bearer ${token}`;
  const { documentId } = await app.ask<{ documentId: string }>(
    `/api/containers/default/files/documents/${name}?record=true`,
    {
      method: "PUT",
      headers: { authorization, "content-type": "application/octet-stream" },
      body: new Uint8Array(Buffer.from(body)),
    },
  );
  return { documentId, authorization };
}

/** Until a search for this word finds the document. */
export async function untilIndexed(app: Console, filed: Filed, word: string): Promise<void> {
  const { documentId, authorization } = filed;
  await until(`${documentId} in the index`, async () => {
    const { results } = await app.ask<{ results: { documentId: string }[] }>(
      `/api/search?q=${word}`,
      { headers: { authorization } },
    );
    return results.some((found) => found.documentId === documentId);
  });
}
