/** `postroom init` connects a tenant: it writes settings only after they have worked. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askPerson, QUESTIONS } from "../../src/cli/server/init.ts";
import { readDotEnv } from "../../src/config/gather-settings.ts";
import { loadConfig } from "../../src/config.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant } from "../helpers/app.ts";
import { commandsFor } from "../helpers/cli.ts";

const postroom = commandsFor({ home: "/nowhere", port: 1 });
const NINA = "nina.berg@ashdown.example";
let tenant: Tenant;
let folder: string;
let secret: string;
beforeAll(async () => {
  tenant = await aTenant();
});
beforeEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "postroom-init-"));
  secret = join(folder, "secret");
  writeFileSync(secret, tenant.clientSecret);
});
afterAll(() => rmSync(folder, { recursive: true }));

const init = (changes: Record<string, string> = {}, ...more: string[]) =>
  postroom([
    "init",
    ...Object.entries({
      "--tenant-id": tenant.tenantId,
      "--client-id": tenant.clientId,
      "--client-secret-file": secret,
      "--mailbox": NINA,
      "--graph-url": tenant.addresses.graph,
      "--authority": tenant.addresses.entra,
      "--folder": folder,
      ...changes,
    }).flat(),
    ...more,
  ]);
const file = () => join(folder, ".env");

describe("postroom init", () => {
  it("writes settings that the server accepts, for its owner only, and no secret", async () => {
    const { code, err } = await init();
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("postroom serve") });
    expect(loadConfig(readDotEnv(folder))).toMatchObject({
      mailboxEmail: NINA,
      graph: { tenantId: tenant.tenantId, clientId: tenant.clientId },
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), "utf8")).not.toContain(tenant.clientSecret);
  });

  it.each([
    [
      "a secret that Entra refuses",
      () => writeFileSync(secret, "not-the-secret-of-it"),
      {},
      "secret is wrong",
    ],
    [
      "a mailbox that does not exist",
      () => {},
      { "--mailbox": "x@ashdown.example" },
      "x@ashdown.example cannot be read",
    ],
    [
      "an address without https",
      () => {},
      { "--webhook-url": "http://a.example" },
      "--webhook-url: must be https",
    ],
    [
      "an ID that is none",
      () => {},
      { "--tenant-id": "ashdown" },
      "--tenant-id: an ID looks like 3f2a61b0-",
    ],
    [
      "a secret in a file that does not exist",
      () => {},
      { "--client-secret-file": "/nowhere" },
      "--client-secret-file: /nowhere cannot be read",
    ],
  ] as const)("refuses %s and writes nothing", async (_, prepare, changes, words) => {
    prepare();
    const { code, err } = await init(changes);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
    expect(existsSync(file())).toBe(false);
  });

  it("leaves settings that exist as they are", async () => {
    writeFileSync(file(), "PORT=1\n");
    const { code, err } = await init();
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("already exists and was not changed"),
    });
    expect(readFileSync(file(), "utf8")).toBe("PORT=1\n");
  });

  it("with --dry-run prints what it would write", async () => {
    const { code, out } = await init({}, "--dry-run");
    expect({ code, isThere: existsSync(file()) }).toEqual({ code: 0, isThere: false });
    expect(out).toContain(`GRAPH_MAILBOX_EMAIL=${NINA}\n`);
  });

  it("asks again at once for an answer that cannot be right, and keeps those that are", async () => {
    const answers = [
      ...["ashdown.example", tenant.tenantId, "", tenant.clientId, "/nowhere/secret", secret],
      ...["nina", NINA, "http://a.example", ""],
    ];
    const [input, output] = [new PassThrough(), new PassThrough()];
    let said = "";
    output.on("data", (text: Buffer) => {
      said += text;
      if (said.endsWith(": ")) input.write(`${answers.shift()}\n`);
    });
    const given = await askPerson(QUESTIONS, input, output);
    expect(Object.fromEntries(given)).toEqual({
      ...{ tenantId: tenant.tenantId, clientId: tenant.clientId },
      ...{ clientSecretFile: secret, mailbox: NINA },
    });
    expect(answers).toEqual([]);
    for (const words of [
      ...["an ID looks like", "this is needed", "/nowhere/secret cannot be read"],
      ...["an address looks like", "must be https"],
    ])
      expect(said).toContain(words);
  });

  it("names what is missing where nobody can be asked", async () => {
    const { code, err } = await postroom(`init --tenant-id ${tenant.tenantId}`);
    expect(code).toBe(2);
    expect(err).toContain("client ID of the app registration, file with the app's client secret");
  });
});
