/** Profiles that follow by themselves, here without a model. */
import { beforeAll, expect, it } from "vitest";
import { WITHOUT_MODEL } from "../../src/analysis/extractive-profile.ts";
import { WEBHOOK_SECRET } from "../documents/scene.ts";
import { type AnswerScene, anAnswerScene } from "./scene.ts";

let scene: AnswerScene;
const [COMPLETED, UNSUPPORTED] = [100000002, 100000005];
const TEXT = "The monthly rent of the Lyon office is 4,200 euros, due on 2026-03-01.";

beforeAll(async () => {
  scene = await anAnswerScene({
    settings: { Documents__Profiles: "true" },
    app: { roles: ["intake", "api", "worker"] },
  });
});

const file = async (name: string, body: Buffer | string) => {
  const { json } = await scene.put(name, body, { query: "?record=true" });
  await scene.app.jobs.workUntilIdle();
  return scene.tenant.dataverse.admin.get("sprk_document", json["documentId"])!.values;
};

it("a profile follows an upload, and of a file without text the record says that there is none [DOC-27]", async () => {
  expect(await file("lease.txt", TEXT)).toMatchObject({
    sprk_filesummary: `${TEXT}\n\n${WITHOUT_MODEL}`,
    ...{ sprk_extractamounts: "4,200 euros", sprk_extractdates: "2026-03-01" },
    sprk_filesummarystatus: COMPLETED,
  });
  const picture = await file("plan.png", Buffer.alloc(900, 3));
  expect(picture["sprk_filesummarystatus"]).toBe(UNSUPPORTED);
  expect(picture["sprk_filesummary"] ?? null).toBeNull();
});

it("a profile follows a mail that became a document, and each of its attachments [DOC-27]", async () => {
  const { admin } = scene.tenant.dataverse;
  const email = await admin.create("email", {
    ...{ subject: "Fee note", description: `<p>${TEXT}</p>`, sender: "counsel@law.example" },
    ...{ torecipients: "nina.berg@ashdown.example", actualend: "2026-02-17T10:00:00Z" },
  });
  await admin.create("activitymimeattachment", {
    ...{ filename: "fees.txt", mimetype: "text/plain" },
    body: Buffer.from("Our fee is 900 euros for the whole of the work.").toString("base64"),
    "objectid_email@odata.bind": `/emails(${email.id})`,
  });
  const before = new Set(scene.records().map(({ id }) => id));
  const answer = await scene.app.server.inject({
    ...{ method: "POST", url: "/api/v1/emails/webhook-trigger" },
    headers: { "x-ms-dynamics-msg-keyvalue": WEBHOOK_SECRET },
    payload: { PrimaryEntityId: email.id, PrimaryEntityName: "email", MessageName: "Update" },
  });
  expect(answer.statusCode).toBe(202);
  await scene.app.jobs.workUntilIdle();
  const filed = scene.records().filter(({ id }) => !before.has(id));
  expect(filed).toHaveLength(2);
  for (const { values } of filed) expect(values["sprk_filesummarystatus"]).toBe(COMPLETED);
  const amounts = filed.map(({ values }) => values["sprk_extractamounts"]);
  expect(amounts.toSorted()).toEqual(["4,200 euros", "900 euros"]);
});
