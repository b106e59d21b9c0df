import { createHmac } from "node:crypto";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../lib/clock.ts";
import { Secret } from "../lib/redact.ts";
import { type DataverseWebhookNeeds, registerDataverseWebhook } from "./dataverse-webhook.ts";

const SECRET = "a-secret-of-the-dataverse-webhook";
const BODY = JSON.stringify({
  PrimaryEntityId: "58dd5db4-8043-4676-9d3c-0123456789ab",
  PrimaryEntityName: "email",
});

/**
 * A webhook with neither a database nor a queue: whoever is refused never gets that far, so anything but the refusal
 * ends as an error.
 */
async function post(
  request: Request,
  webhook: Partial<DataverseWebhookNeeds["webhook"]> = {},
): Promise<number> {
  const { send, close } = open(webhook);
  const status = await send(request);
  await close();
  return status;
}

interface Request {
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

function open(webhook: Partial<DataverseWebhookNeeds["webhook"]> = {}) {
  const app = Fastify();
  const clock = createManualClock(0);
  const lines: unknown[] = [];
  registerDataverseWebhook(app, {
    ...{ clock, log: { warn: (line: unknown) => lines.push(line) }, onAnswer: () => undefined },
    webhook: { isOn: true, secret: new Secret(SECRET), ...webhook },
  } as unknown as DataverseWebhookNeeds);
  const send = async ({ body, ...request }: Request) => {
    const answer = await app.inject({
      method: "POST",
      url: `/api/v1/emails/webhook-trigger${request.query ?? ""}`,
      headers: request.headers ?? {},
      ...(body === undefined ? {} : { payload: body }),
    });
    return answer.statusCode;
  };
  return { send, clock, lines, close: () => app.close() };
}

const KEY = { "x-ms-dynamics-msg-keyvalue": SECRET, "content-type": "application/json" };
const signed = (signature: Buffer) => ({
  "x-dataverse-signature": signature.toString("base64"),
  "content-type": "application/json",
});
const signature = createHmac("sha256", SECRET).update(BODY).digest();

describe("Dataverse's webhook", () => {
  it("refuses everything while it is off or has no secret [MAIL2DOC-01]", async () => {
    expect(await post({ body: BODY, headers: KEY }, { isOn: false })).toBe(503);
    expect(await post({ body: BODY, headers: KEY }, { secret: null })).toBe(503);
  });

  it("refuses a request without a body, and one whose body is empty [MAIL2DOC-03]", async () => {
    const { "content-type": _type, ...key } = KEY;
    expect(await post({ headers: key })).toBe(400);
    expect(await post({ body: "", headers: KEY })).toBe(400);
  });

  it("refuses a signature that is wrong in its last byte, and one that is a byte short [MAIL2DOC-02]", async () => {
    const wrong = Buffer.from(signature);
    wrong[wrong.length - 1]! ^= 1;
    expect(await post({ body: BODY, headers: signed(wrong) })).toBe(401);
    expect(await post({ body: BODY, headers: signed(signature.subarray(0, -1)) })).toBe(401);
    expect(await post({ body: BODY, headers: { "content-type": "application/json" } })).toBe(401);
  });

  it("refuses a body that is no context of an e-mail, though the key is right [MAIL2DOC-03]", async () => {
    expect(await post({ body: "{}", headers: KEY })).toBe(400);
  });

  it("accepts nothing that it cannot write down [MAIL2DOC-06]", async () => {
    expect(await post({ body: BODY, headers: KEY })).toBe(500);
  });

  it("tells a caller to stop who keeps sending forged requests, logs no more of them, and lets genuine ones pass", async () => {
    const { send, clock, lines, close } = open();
    const forged = { body: BODY, headers: { "content-type": "application/json" } };
    for (let sent = 0; sent < 100; sent += 1) expect(await send(forged)).toBe(401);
    for (let sent = 0; sent < 20; sent += 1) expect(await send(forged)).toBe(429);
    expect(lines).toHaveLength(100);
    // Its key is right: only what it says about the mail is wrong.
    expect(await send({ body: "{}", headers: KEY })).toBe(400);
    clock.advance(1_000);
    expect([await send(forged), await send(forged)]).toEqual([401, 429]);
    await close();
  });
});
