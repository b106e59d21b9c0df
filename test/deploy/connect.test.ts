/** `postroom connect app` makes a registration with the least that it needs; Exchange's scope is proven by reading. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant } from "../helpers/app.ts";
import { commandsFor } from "../helpers/cli.ts";

const postroom = commandsFor({ home: "/nowhere", port: 1 });
const NINA = "nina.berg@ashdown.example";
const folder = mkdtempSync(join(tmpdir(), "postroom-connect-"));
const secretFile = join(folder, "secret");
const tokenFile = join(folder, "token");
let tenant: Tenant;

beforeAll(async () => {
  tenant = await aTenant();
  writeFileSync(join(folder, "secret-of-another"), tenant.clientSecret);
  const rights = ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"];
  tenant.apps[0]!.appRoles.push(...rights);
  writeFileSync(tokenFile, `${tenant.tokenFor({})}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Connected {
  readonly appId: string | null;
  readonly steps: readonly { readonly step: string; readonly result: string }[];
  readonly exchange: readonly string[];
}

async function connect(
  ...more: string[]
): Promise<{ code: number; err: string } & Partial<Connected>> {
  const { code, out, err } = await postroom([
    ...["connect", "app", "--token-file", tokenFile, "--secret-file", secretFile],
    ...["--graph-url", tenant.addresses.graph, "--name", "Ashdown's post", "--json", ...more],
  ]);
  return { code, err, ...(out === "" ? {} : (JSON.parse(out) as Connected)) };
}
const made = () => tenant.apps.find(({ displayName }) => displayName === "Ashdown's post");

const init = (mailbox: string) =>
  postroom([
    ...["init", "--tenant-id", tenant.tenantId, "--client-id", made()!.appId],
    ...["--client-secret-file", secretFile, "--mailbox", mailbox, "--dry-run"],
    ...["--graph-url", tenant.addresses.graph, "--authority", tenant.addresses.entra],
  ]);

describe("postroom connect app", () => {
  it("a dry run names every step and does none of them", async () => {
    const { code, steps, appId } = await connect("--dry-run");
    expect({ code, appId }).toEqual({ code: 0, appId: null });
    expect(steps).toEqual([
      { step: "app registration Ashdown's post", result: "would be done" },
      { step: "service principal", result: "would be done" },
      { step: "permission User.Read.All, with admin consent", result: "would be done" },
      { step: `client secret in ${secretFile}`, result: "would be done" },
    ]);
    expect(made()).toBeUndefined();
    expect(existsSync(secretFile)).toBe(false);
  });

  it("makes the app without any permission for mail, and its secret is in a file of its owner's only", async () => {
    const { code, exchange } = await connect();
    expect(code).toBe(0);
    expect(made()!.appRoles).toEqual(["User.Read.All"]);
    expect(readFileSync(secretFile, "utf8")).toBe(made()!.secrets[0]);
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    expect(exchange![0]).toContain(`-AppId ${made()!.appId}`);
    expect(exchange![2]).toContain(
      `-App ${made()!.servicePrincipalId} -Role 'Application Mail.Read'`,
    );
  });

  it("an app that merely has the name gets no rights, because anybody can register one", async () => {
    for (const dry of [[], ["--dry-run"]]) {
      const { code, err } = await connect("--all-mailboxes", ...dry);
      expect(code).toBe(1);
      expect(err).toContain(`repeat with --app-id ${made()!.appId}`);
    }
    expect(made()!.appRoles).toEqual(["User.Read.All"]);
  });

  it("a second run finds everything and makes nothing", async () => {
    const { steps } = await connect("--app-id", made()!.appId);
    expect(steps!.map(({ result }) => result)).toEqual(Array.from({ length: 4 }, () => "exists"));
    expect(made()!.secrets).toHaveLength(1);
  });

  it("goes on where a run ended that had asked for a secret and not written it", async () => {
    const lost = readFileSync(secretFile, "utf8");
    writeFileSync(secretFile, "");
    const { steps } = await connect("--app-id", made()!.appId);
    expect(steps!.at(-1)!.result).toBe("done");
    expect(readFileSync(secretFile, "utf8")).toBe(made()!.secrets[1]);
    expect(made()!.secrets[0]).toBe(lost);
  });

  it("sends the token to no address in plain text but this machine's", async () => {
    const graph = ["--graph-url", "http://graph.example"];
    expect(await connect(...graph)).toMatchObject({
      code: 2,
      err: expect.stringContaining("must be https"),
    });
  });

  it("the app reads mailboxes in the scope that Exchange gave it, and no other", async () => {
    expect((await init(NINA)).code).not.toBe(0);
    tenant.graph.admin.assignMailRole(made()!.appId, [NINA]);
    expect(await init(NINA)).toMatchObject({ code: 0 });
    const outside = await init("operations@ashdown.example");
    expect(outside.err).toContain("operations@ashdown.example cannot be read");
  });

  it("in Dataverse the app is nobody until it is made a user, once", async () => {
    const scope = `${tenant.origin}/.default`;
    const url = tenant.addresses.dataverse;
    const whoAmI = async () => {
      const token = tenant.tokenFor({ app: made()!.appId, scope });
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/api/data/v9.2/WhoAmI`, { headers })).status;
    };
    const token = join(folder, "dataverse-token");
    writeFileSync(token, tenant.tokenFor({ scope }));
    const run = async (...more: string[]) => {
      const words = ["connect", "dataverse", "--token-file", token, "--url", url];
      const { code, out } = await postroom([
        ...words,
        "--app-id",
        made()!.appId,
        "--json",
        ...more,
      ]);
      return { code, result: (JSON.parse(out) as Connected).steps[0]!.result };
    };
    expect(await run("--dry-run")).toEqual({ code: 0, result: "would be done" });
    expect(await whoAmI()).toBe(403);
    expect(await run()).toEqual({ code: 0, result: "done" });
    expect(await whoAmI()).toBe(200);
    expect(await run()).toEqual({ code: 0, result: "exists" });
  });

  it("its container is made with its members, and at the end the app may only read and write in it", async () => {
    const adminToken = join(folder, "embedded-token");
    tenant.apps[0]!.delegatedScopes.push("FileStorageContainerType.Manage.All");
    writeFileSync(adminToken, tenant.tokenFor({ user: NINA, app: tenant.apps[0]!.appId }));
    await connect("--app-id", made()!.appId, "--documents");
    const run = async (...more: string[]) => {
      const { code, out, err } = await postroom([
        ...["connect", "containers", "--tenant-id", tenant.tenantId, "--secret-file", secretFile],
        ...["--graph-url", tenant.addresses.graph, "--authority", tenant.addresses.entra],
        ...["--member", NINA, "--name", "Fee notes", "--json", ...more],
      ]);
      const { driveId = null, typeId = "", steps = [] } = out === "" ? {} : JSON.parse(out);
      const results = (steps as Connected["steps"]).map(({ result }) => result);
      return { code, err, driveId: driveId as string | null, typeId: typeId as string, results };
    };
    const own = ["--app-id", made()!.appId];
    const dry = await run(...own, "--token-file", adminToken, "--dry-run");
    expect(dry).toMatchObject({ code: 0, driveId: null, results: ["would be done"] });
    const first = await run(...own, "--token-file", adminToken);
    expect(first.results, first.err).toEqual(Array.from({ length: 5 }, () => "done"));
    const again = await run(...own, "--container-type", first.typeId);
    expect(again).toMatchObject({ driveId: first.driveId });
    expect(again.results).toEqual(Array.from({ length: 4 }, () => "exists"));

    const headers = {
      authorization: `Bearer ${tenant.tokenFor({ app: made()!.appId })}`,
      "content-type": "application/json",
    };
    const graph = `${tenant.addresses.graph}/v1.0`;
    const call = async (method: string, path: string, body: string) =>
      (await fetch(`${graph}${path}`, { method, headers, body })).status;
    const file = `/drives/${first.driveId}/root:/note.txt:/content`;
    expect(await call("PUT", file, "a note")).toBe(201);
    const another = JSON.stringify({ displayName: "Another", containerTypeId: first.typeId });
    expect(await call("POST", "/storage/fileStorage/containers", another)).toBe(403);
    const [container] = tenant.drives.admin.containers().filter(({ id }) => id === first.driveId);
    expect(container).toMatchObject({ status: "active", permissions: [{ roles: ["writer"] }] });
  });

  it("only the app that owns a container type registers it", async () => {
    const { code, err } = await postroom([
      ...["connect", "containers", "--tenant-id", tenant.tenantId, "--app-id", tenant.clientId],
      ...["--secret-file", join(folder, "secret-of-another")],
      ...["--graph-url", tenant.addresses.graph, "--authority", tenant.addresses.entra],
      ...["--container-type", tenant.drives.admin.containerTypeId],
    ]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("the app must own the container type"),
    });
  });

  it("a token without the rights is refused with what it lacks, before anything is made", async () => {
    writeFileSync(tokenFile, tenant.tokenFor({ app: tenant.apps[1]!.appId }));
    const { code, err } = await connect("--name", "Another");
    expect(code).toBe(1);
    expect(err).toContain("it needs Application.ReadWrite.All");
    expect(tenant.apps.some(({ displayName }) => displayName === "Another")).toBe(false);
  });
});
