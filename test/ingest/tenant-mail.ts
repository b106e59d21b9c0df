/** Mail of the local tenant, read over its Graph API. */
import type { MailAttachment, MailSource } from "../../src/flows/ingest/mail-source.ts";
import type { Tenant } from "../../tenant/index.ts";

const KINDS: Record<string, MailAttachment["kind"]> = {
  "#microsoft.graph.itemAttachment": "item",
  "#microsoft.graph.referenceAttachment": "reference",
};

export function tenantMail(tenant: Pick<Tenant, "origin" | "tokenFor">): MailSource {
  const get = async (path: string): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${tenant.tokenFor({})}`,
      prefer: 'IdType="ImmutableId"',
    };
    return fetch(`${tenant.origin}/v1.0${path}`, { headers });
  };
  const messagePath = (mailbox: string, id: string) =>
    `/users/${encodeURIComponent(mailbox)}/messages/${encodeURIComponent(id)}`;
  const load = async (path: string): Promise<Response> => {
    const answer = await get(path);
    if (!answer.ok) throw new Error(`${answer.status} ${path}: ${await answer.text()}`);
    return answer;
  };
  return {
    async getMessage(mailbox, id) {
      const answer = await get(messagePath(mailbox, id));
      if (answer.status === 404) return null;
      // biome-ignore lint/suspicious/noExplicitAny: what Graph sends
      const message = (await answer.json()) as any;
      return {
        id: message.id,
        internetMessageId: message.internetMessageId,
        from: message.from?.emailAddress?.address ?? null,
        receivedAt: new Date(message.receivedDateTime),
        subject: message.subject,
      };
    },
    async findByInternetId(mailbox, internetMessageId) {
      const filter = encodeURIComponent(`internetMessageId eq '<${internetMessageId}>'`);
      const path = `/users/${encodeURIComponent(mailbox)}/messages?$filter=${filter}&$select=id`;
      const { value } = (await (await load(path)).json()) as { value: { id: string }[] };
      return value[0]?.id ?? null;
    },
    async listAttachments(mailbox, id) {
      const answer = await load(
        `${messagePath(mailbox, id)}/attachments?$select=id,name,contentType,size,isInline`,
      );
      // biome-ignore lint/suspicious/noExplicitAny: what Graph sends
      const { value } = (await answer.json()) as { value: any[] };
      return value.map((item) => ({
        id: item.id,
        name: item.name,
        kind: KINDS[item["@odata.type"]] ?? "file",
        contentType: item.contentType,
        size: item.size,
        isInline: item.isInline,
      }));
    },
    downloadAttachment: async (mailbox, id, attachment) =>
      Buffer.from(
        await (
          await load(
            `${messagePath(mailbox, id)}/attachments/${encodeURIComponent(attachment)}/$value`,
          )
        ).arrayBuffer(),
      ),
    getMime: async (mailbox, id) =>
      Buffer.from(await (await load(`${messagePath(mailbox, id)}/$value`)).arrayBuffer()),
  };
}
