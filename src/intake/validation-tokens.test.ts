import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTokenCheck, type TokenCheck } from "./validation-tokens.ts";

const TENANT = "11111111-aaaa-4bbb-8ccc-000000000001";
const APP = "22222222-aaaa-4bbb-8ccc-000000000002";
const GRAPH = "0bf30f3b-4a52-48df-9a82-234910c4a086";
const OTHER = "33333333-aaaa-4bbb-8ccc-000000000003";
const MINUTE = 60;

// From PEM: exporting the generated object itself can deadlock in Node 20.
const pem = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const privateKey = createPrivateKey(pem.privateKey);
let authority: Server;
let check: TokenCheck;

beforeAll(async () => {
  const jwk = { ...createPublicKey(pem.publicKey).export({ format: "jwk" }), kid: "k", use: "sig" };
  authority = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => authority.listen(0, "127.0.0.1", resolve));
  const { port } = authority.address() as AddressInfo;
  check = createTokenCheck([
    { tenantId: TENANT, clientId: APP, authorityOrigin: `http://127.0.0.1:${port}` },
  ]);
});
afterAll(() => void authority.close());

/** Signed with the right key, and genuine but for what is given. */
function aToken(claims: JWTPayload = {}, alg = "RS256"): Promise<string> {
  const seconds = Math.floor(Date.now() / 1_000);
  return new SignJWT({
    ...{ aud: APP, iat: seconds, nbf: seconds, exp: seconds + 10 * MINUTE },
    ...{ ver: "2.0", tid: TENANT, azp: GRAPH },
    iss: `https://login.microsoftonline.com/${TENANT}/v2.0`,
    ...claims,
  })
    .setProtectedHeader({ alg, kid: "k" })
    .sign(privateKey);
}

const VERSION_1: JWTPayload = {
  ver: "1.0",
  azp: undefined,
  appid: GRAPH,
  iss: `https://sts.windows.net/${TENANT}/`,
};

async function vouchesFor(...tokens: string[]): Promise<string[]> {
  return [...(await check(tokens))];
}

describe("a validation token", () => {
  it("of either version vouches for its tenant", async () => {
    expect(await vouchesFor(await aToken())).toEqual([TENANT]);
    expect(await vouchesFor(await aToken(VERSION_1))).toEqual([TENANT]);
  });

  it.each<[string, JWTPayload]>([
    ["is for another app", { aud: OTHER }],
    ["is of another tenant", { tid: OTHER }],
    ["is another caller's", { azp: OTHER }],
    ["is from another issuer", { iss: "https://evil.example/v2.0" }],
    ["has expired", { exp: Math.floor(Date.now() / 1_000) - 2 * MINUTE }],
    ["is of an unknown version", { ...VERSION_1, ver: "3.0" }],
    ["is another caller's, version 1", { ...VERSION_1, appid: OTHER }],
    ["is from another issuer, version 1", { ...VERSION_1, iss: "https://sts.evil.example/" }],
  ])("that %s vouches for nothing", async (_, claims) => {
    expect(await vouchesFor(await aToken(claims))).toEqual([]);
  });

  it("signed with the right key by another algorithm vouches for nothing", async () => {
    expect(await vouchesFor(await aToken({}, "RS512"))).toEqual([]);
  });

  it("vouches for nothing beside one that is not genuine, or among more than fifty", async () => {
    const good = await aToken();
    expect(await vouchesFor(good, await aToken({ tid: OTHER }))).toEqual([]);
    expect(await vouchesFor(...Array.from({ length: 50 }, () => good))).toEqual([TENANT]);
    expect(await vouchesFor(...Array.from({ length: 51 }, () => good))).toEqual([]);
    for (const odd of [null, 1, { token: good }, [good]])
      expect([...(await check([good, odd]))]).toEqual([]);
    expect([...(await check(good))]).toEqual([]);
  });
});
