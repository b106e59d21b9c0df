import { expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { Secret } from "../../src/lib/redact.ts";
import { createSeal } from "../../src/lib/seal.ts";
import { type Connections, createConnections } from "../../src/mailbox/connections.ts";
import type { Database } from "../../src/store/database.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant } from "../helpers/app.ts";
import { freshDatabase } from "../helpers/database.ts";

const DAY_MS = 86_400_000;

/** A server that was just started with these settings. */
const started = (tenant: Tenant, database: Database, refreshToken: string): Connections =>
  createConnections(
    {
      personal: {
        tenantId: tenant.tenantId,
        clientId: tenant.clientId,
        clientSecret: new Secret(tenant.clientSecret),
        graphOrigin: tenant.addresses.graph,
        authorityOrigin: tenant.addresses.entra,
        refreshToken: new Secret(refreshToken),
      },
    },
    { clock: systemClock, random: systemRandom, database },
  );

async function consent(tenant: Tenant): Promise<string> {
  const answer = await fetch(`${tenant.addresses.entra}/${tenant.tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      client_id: tenant.clientId,
      client_secret: tenant.clientSecret,
      username: tenant.users[1]!.mail,
      password: "Passw0rd!",
      scope: "https://graph.microsoft.com/.default offline_access",
    }),
  });
  return ((await answer.json()) as { refresh_token: string }).refresh_token;
}

it("a refresh token that Entra replaced outlives the one in the settings, and is stored encrypted [GRA-06]", async () => {
  const tenant = await aTenant({ clock: "virtual" });
  const database = await freshDatabase();
  const given = await consent(tenant);
  const read = async (connections: Connections) => {
    const token = await connections.getAccessTokenForMailbox({ connection: "personal" });
    await connections.close();
    return token;
  };
  await tenant.clock.advance(60 * DAY_MS);
  await read(started(tenant, database, given));
  const { rows } = await database.query<{ sealed: Buffer }>(
    "SELECT sealed FROM postroom.refresh_token WHERE connection = 'personal'",
  );
  expect(rows).toHaveLength(1);
  const { sealed } = rows[0]!;
  const kept = createSeal(tenant.clientSecret, systemRandom).open(sealed)!;
  expect(kept).not.toBe(given);
  expect(sealed.toString("latin1")).not.toContain(kept);
  await tenant.clock.advance(60 * DAY_MS);
  expect(await read(started(tenant, database, given))).toContain(".");
  const empty = await freshDatabase();
  await expect(read(started(tenant, empty, given))).rejects.toMatchObject({
    code: expect.stringMatching(/^identity\./),
  });
  const renewed = await consent(tenant);
  expect(await read(started(tenant, database, renewed))).toContain(".");
});
