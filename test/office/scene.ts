/** A server with the Office add-in's back end, and a person who saves. */
import { MESSAGE_TTL_MS } from "../../src/jobs/queues.ts";
import type { ServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import type { DocumentScene, Person } from "../documents/scene.ts";
import { aDocumentScene } from "../documents/scene.ts";
import { declareQueues, startServiceBus } from "../helpers/service-bus.ts";

export interface OfficeScene extends DocumentScene {
  readonly matterId: string;
  save(
    body: object,
    options?: { person?: Person; key?: string },
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  ): Promise<{ status: number; json: Record<string, any>; headers: Record<string, unknown> }>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  get(url: string, person?: Person): Promise<{ status: number; json: Record<string, any> }>;
  rows(table: string): readonly { id: string; values: Record<string, unknown> }[];
}

export async function anOfficeScene(
  options: Parameters<typeof aDocumentScene>[0] = {},
): Promise<OfficeScene> {
  const scene = await aDocumentScene({
    ...options,
    app: { roles: ["api", "worker"], ...options.app },
  });
  const matterId = await scene.aMatter({ sprk_name: "Brown v. Smith" });
  return {
    ...scene,
    matterId,
    async save(body, { person = scene.nina, key } = {}) {
      const answer = await scene.app.server.inject({
        method: "POST",
        url: "/office/save",
        headers: { ...person.headers, ...(key === undefined ? {} : { "x-idempotency-key": key }) },
        payload: body,
      });
      return { status: answer.statusCode, json: answer.json(), headers: answer.headers };
    },
    async get(url, person = scene.nina) {
      const answer = await scene.app.server.inject({ url, headers: person.headers });
      return { status: answer.statusCode, json: answer.json() };
    },
    rows: (table) => scene.tenant.dataverse.admin.rows(table),
  };
}

/** A Service Bus with the queues that a whole server needs. */
export async function aBus(): Promise<ServiceBusPart> {
  const bus = await startServiceBus();
  declareQueues(bus, "");
  // The queue of everything else has the source system's name.
  bus.declare({
    ...{ name: "sdap-jobs", maxDeliveryCount: 10, deadLetteringOnMessageExpiration: true },
    defaultMessageTimeToLiveMs: MESSAGE_TTL_MS,
  });
  return bus;
}

export const base64 = (content: string | Buffer): string => Buffer.from(content).toString("base64");

let mails = 0;

/** A mail as the add-in sends it. */
export function aMail(matterId: string, more: object = {}) {
  mails += 1;
  return {
    contentType: "Email",
    targetEntity: { entityType: "sprk_matter", entityId: matterId },
    email: {
      subject: `Fee note ${mails}`,
      senderEmail: "ada@clients.example",
      recipients: [
        { type: "To", email: "nina@postroom.example" },
        { type: "Cc", email: "omar@postroom.example" },
      ],
      sentDate: "2026-02-17T10:00:00Z",
      receivedDate: "2026-02-17T10:00:02Z",
      internetMessageId: `<fee-${mails}@clients.example>`,
      conversationId: "conversation-1",
      body: "<p>Please find the fee note.</p>",
      attachments: [
        { fileName: "fee.pdf", contentBase64: base64(`%PDF-1.7 fee ${mails}`) },
        { fileName: "terms.txt", contentBase64: base64(`terms ${mails}`) },
      ],
      ...more,
    },
  };
}
