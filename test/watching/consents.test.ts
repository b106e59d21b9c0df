/** People connect their own mailbox, and what ends that: only this mailbox is affected, and its owner is told. */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { deltaSync } from "../../src/flows/specs/watching.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { createSeal } from "../../src/lib/seal.ts";
import { getMailboxByAddress } from "../../src/mailbox/mailbox-table.ts";
import type { Tenant, User } from "../../tenant/index.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";

const KEY = randomBytes(32).toString("base64url");

let tenant: Tenant;
let app: TestApp;
let omar: User;

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, { ...documentSettings(tenant), POSTROOM_SEAL_KEY: KEY });
  tenant.apps[0]!.redirectUris.push(`http://127.0.0.1:${app.port}/mailbox-connected`);
  omar = tenant.users.find(({ userPrincipalName }) => userPrincipalName.startsWith("omar"))!;
  await watch(app, tenant, ["nina"]);
});

/** Postroom's token for this person's browser. */
function tokenOf(user: User): string {
  const { appId } = tenant.apps[1]!;
  return tenant.tokenFor({
    ...{ user: user.id, app: tenant.apps[2]!.appId, scope: `api://${appId}/user_impersonation` },
  });
}

async function call(method: "GET" | "POST", url: string, token: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, json: answer.json() as Record<string, never> };
}

async function begin(user: User): Promise<string> {
  const { json } = await call("POST", "/api/me/mailbox", tokenOf(user), { connection: "default" });
  return json["url"]!;
}

/** What a browser does on Entra's page; returns the address that Entra sends it back to. */
async function signIn(url: string, user: User): Promise<URL> {
  const asked = new URL(url);
  const page = await (await fetch(asked)).text();
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = new URLSearchParams(
    hidden.map(([, name, value]): [string, string] => [name!, decode(value!)]),
  );
  form.set("username", user.userPrincipalName);
  form.set("password", user.password);
  const answer = await fetch(asked.origin + asked.pathname, {
    ...{ method: "POST", body: form, redirect: "manual" },
  });
  const location = answer.headers.get("location");
  expect(location, await answer.text()).not.toBeNull();
  return new URL(location!);
}

const decode = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"');

async function land(back: URL) {
  const answer = await fetch(back);
  return { status: answer.status, text: await answer.text() };
}

const connect = async (user: User) => land(await signIn(await begin(user), user));

/** A new access token is needed, as after an hour. */
async function readAgain(): Promise<void> {
  await app.connections
    .getAccessTokenForMailbox({ connection: `person:default:${omar.id}` }, { forceNew: true })
    .catch(() => {});
  const mailbox = (await getMailboxByAddress(app.database, omar.mail))!;
  const key = systemRandom.uuid();
  await app.database.transaction((tx) =>
    app.jobs.queue.add(tx, deltaSync, [
      { subjectId: key, idempotencyKey: key, payload: { mailbox: mailbox.id, reason: "a test" } },
    ]),
  );
}

const stateOf = async (user: User) => {
  const { status, statusReason } = (await getMailboxByAddress(app.database, user.mail))!;
  return { status, statusReason };
};

const noticesOf = async (user: User) => {
  const { json } = await call("GET", "/api/me/notices", tokenOf(user));
  return (json["notices"]! as { text: string; id: number }[]).map(({ text }) => text);
};

async function sealedTokens(): Promise<Buffer[]> {
  const { rows } = await app.database.query<{ sealed: Buffer | null }>(
    "SELECT sealed FROM postroom.consent",
  );
  return rows.flatMap(({ sealed }) => (sealed === null ? [] : [sealed]));
}

describe("a person who connects their mailbox", () => {
  it("owns it, sees its events, and nothing that is stored opens it without the key", async () => {
    expect(await connect(omar)).toMatchObject({
      status: 200,
      text: expect.stringContaining(omar.mail),
    });
    const mailbox = (await getMailboxByAddress(app.database, omar.mail))!;
    expect(mailbox).toMatchObject({ ownerId: omar.id, connection: `person:default:${omar.id}` });
    await tenant.graph.admin.sendMail({ to: omar.mail, subject: "to Omar" });
    await until("the event", async () => {
      const { json } = await call("GET", "/api/events", tokenOf(omar));
      return (json["events"]! as { subject: string }[]).some(
        ({ subject }) => subject === "to Omar",
      );
    });
    const [sealed] = await sealedTokens();
    const token = createSeal(KEY, systemRandom).open(sealed!)!;
    expect(token.length).toBeGreaterThan(20);
    expect(
      createSeal("another key of the same length ......", systemRandom).open(sealed!),
    ).toBeNull();
    const { rows } = await app.database.query<{ found: number }>(
      `SELECT count(*) AS found FROM postroom.consent c WHERE strpos(c::text, $1) > 0`,
      [token],
    );
    expect(rows).toEqual([{ found: 0 }]);
  });

  it("gets a new refresh token with each use, and the new one is kept", async () => {
    const [before] = await sealedTokens();
    await readAgain();
    const [after] = await sealedTokens();
    const seal = createSeal(KEY, systemRandom);
    expect(seal.open(after!)).not.toBe(seal.open(before!));
  });

  it("connects nothing with a sign-in that was used, is unknown, or was asked of somebody else", async () => {
    const nina = tenant.users.find(({ userPrincipalName }) =>
      userPrincipalName.startsWith("nina"),
    )!;
    const back = await signIn(await begin(omar), omar);
    expect((await land(back)).status).toBe(200);
    expect(await land(back)).toMatchObject({
      status: 400,
      text: expect.stringContaining("used before"),
    });
    const forged = await signIn(await begin(omar), omar);
    forged.searchParams.set("state", systemRandom.bytes(32).toString("base64url"));
    expect((await land(forged)).status).toBe(400);
    const other = await land(await signIn(await begin(omar), nina));
    expect(other).toMatchObject({ status: 400, text: expect.stringContaining("somebody else") });
    const late = await signIn(await begin(omar), omar);
    await app.database.query(
      "UPDATE postroom.consent_request SET until = postroom.now() - interval '1 second'",
    );
    expect((await land(late)).status).toBe(400);
    const { rows } = await app.database.query("SELECT person_id FROM postroom.consent");
    expect(rows).toEqual([{ person_id: omar.id }]);
  });

  it("must bring the verifier of the same sign-in: a code alone is worth nothing", async () => {
    const [one, two] = [
      await signIn(await begin(omar), omar),
      await signIn(await begin(omar), omar),
    ];
    one.searchParams.set("code", two.searchParams.get("code")!);
    expect(await land(one)).toMatchObject({
      status: 400,
      text: expect.stringContaining("Not connected"),
    });
  });
});

describe("a consent that ends", () => {
  it.each([
    [
      "the password was changed",
      () => tenant.revokeSessions(omar.id),
      "your password was changed or your sign-in was revoked",
    ],
    [
      "the consent was withdrawn",
      () => tenant.withdrawConsent(omar.id, tenant.clientId),
      "the consent was withdrawn",
    ],
  ])(
    "because %s shows in the mailbox and to its owner, once, and ends with a new sign-in",
    async (_, end, reason) => {
      await connect(omar);
      const before = await noticesOf(omar);
      end();
      await readAgain();
      await until("the state", async () => (await stateOf(omar)).status === "unreachable");
      await readAgain();
      expect((await stateOf(omar)).statusReason).toContain(reason);
      expect(await sealedTokens()).toEqual([]);
      const told = await noticesOf(omar);
      expect(told.length).toBe(before.length + 1);
      expect(told[0]).toContain(reason);
      // Nobody else notices anything.
      const nina = tenant.users.find(({ userPrincipalName }) =>
        userPrincipalName.startsWith("nina"),
      )!;
      expect(await noticesOf(nina)).toEqual([]);
      expect((await stateOf(nina)).status).toBe("active");
      await tenant.graph.admin.sendMail({ to: nina.mail, subject: `still read: ${reason}` });
      await until("Nina's event", async () => {
        const { rows } = await app.database.query("SELECT FROM postroom.event WHERE subject = $1", [
          `still read: ${reason}`,
        ]);
        return rows.length === 1;
      });
      expect((await connect(omar)).status).toBe(200);
      expect((await stateOf(omar)).status).toBe("active");
    },
  );

  it("for another reason than the person leaves the mailbox and the consent as they are", async () => {
    await connect(omar);
    const secret = tenant.apps[0]!.secrets.splice(0);
    await readAgain();
    tenant.apps[0]!.secrets.push(...secret);
    expect(await sealedTokens()).toHaveLength(1);
    expect(await noticesOf(omar)).toHaveLength(2);
  });
});
