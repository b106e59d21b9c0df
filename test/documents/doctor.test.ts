import { beforeAll, describe, expect, it } from "vitest";
import { answerOf } from "../../src/client/index.ts";
import { anApp } from "../helpers/app.ts";
import { clientFor } from "../helpers/client.ts";
import { aDocumentScene, type DocumentScene, documentSettings } from "./scene.ts";

let scene: DocumentScene;
beforeAll(async () => {
  scene = await aDocumentScene();
});

async function check(name: string, app = scene.app) {
  const checks = await answerOf(clientFor(app).GET("/api/doctor"));
  return checks.find((each) => each.name === `documents: ${name}`)!;
}

describe("the doctor", () => {
  it("reports that documents are set up correctly, and leaves nothing on the drive", async () => {
    for (const name of ["container", "Dataverse", "columns", "filings", "webhook"])
      expect([name, (await check(name)).status]).toEqual([name, "ok"]);
    expect(scene.files()).toEqual([]);
  });

  it("names the grant of the container type that is missing, before the first mail [R53]", async () => {
    const { admin } = scene.tenant.drives;
    const appId = scene.tenant.apps[1]!.appId;
    const { containerTypeId } = admin;
    admin.register({ containerTypeId, appId, delegated: ["full"], appOnly: [] });
    const none = await check("container");
    admin.register({ containerTypeId, appId, delegated: ["full"], appOnly: ["readContent"] });
    const readOnly = await check("container");
    admin.register({ containerTypeId, appId, delegated: ["full"], appOnly: ["full"] });
    for (const found of [none, readOnly]) {
      expect(found).toMatchObject({
        status: "failed",
        detail: expect.stringContaining("container type"),
      });
      expect(found.fix).toContain(appId);
    }
  });

  it("names an expired secret of the app that owns the container type, before the first mail [R53]", async () => {
    const owner = scene.tenant.apps[1]!;
    const settings = documentSettings(scene.tenant);
    const [secret] = owner.secrets;
    Object.assign(owner, { expiredSecrets: [secret] });
    owner.secrets.splice(0, 1, "the next secret of the owner");
    const late = await anApp(scene.tenant, settings, { roles: ["api"] });
    const found = await check("container", late);
    Object.assign(owner, { expiredSecrets: [] });
    owner.secrets.splice(0, 1, secret!);
    expect(found).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("the client secret has expired"),
    });
  });

  it("distinguishes a missing application user from a failing service [AUTH-11]", async () => {
    const appId = scene.tenant.apps[1]!.appId;
    const user = scene.tenant.dataverse.admin.userIdOf(appId)!;
    await scene.tenant.dataverse.admin.update("systemuser", user, { isdisabled: true });
    const found = await check("Dataverse");
    await scene.tenant.dataverse.admin.update("systemuser", user, { isdisabled: false });
    expect(found).toMatchObject({
      status: "failed",
      fix: expect.stringContaining("application user"),
    });
  });

  it("explains that the tenant does not know the Dataverse environment (AADSTS500011) [AUTH-11]", async () => {
    const settings = {
      ...documentSettings(scene.tenant),
      Dataverse__ServiceUrl: "https://org.elsewhere.example",
    };
    const strange = await anApp(scene.tenant, settings, { roles: ["api"] });
    expect(await check("Dataverse", strange)).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("for Dataverse, add an application user for this app"),
    });
  });

  it("counts files without a record", async () => {
    await scene.put("documents/x.txt", "x");
    await scene.app.database.query("UPDATE postroom.filing SET state = 'refused'");
    expect(await check("filings")).toMatchObject({
      status: "warning",
      detail: expect.stringContaining("1 files"),
    });
  });
});
