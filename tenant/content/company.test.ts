import { afterAll, expect, it } from "vitest";
import { createTenant } from "../index.ts";
import { startDrip } from "./fill-company.ts";
import { generateMessage } from "./generate.ts";

const tenant = await createTenant({ clock: "virtual", company: "small", serviceBus: false });
afterAll(() => tenant.close());

const get = async (path: string) => {
  const answer = await fetch(`${tenant.origin}/v1.0${path}`, {
    headers: { authorization: `Bearer ${tenant.tokenFor({})}` },
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { value: Record<string, unknown>[] },
  };
};
const attachmentsOf = async (mailbox: string, id: unknown) =>
  (await get(`/users/${mailbox}/messages/${id}/attachments`)).body.value;

it("the company's mailboxes contain notes that are attached, inline, forwarded and shared, and unusual MIME", async () => {
  const operations = "operations@ashdown.example";
  const { body } = await get(`/users/${operations}/messages?$top=50`);
  const bySubject = (start: string) =>
    body.value.filter((each) => String(each["subject"]).startsWith(start));
  expect(body.value.length).toBeGreaterThanOrEqual(10);
  expect(bySubject("Résumé n° 12")).toHaveLength(1);

  const kinds = new Set<unknown>();
  let inlineOnly = 0;
  for (const message of body.value) {
    const attachments = await attachmentsOf(operations, message["id"]);
    for (const each of attachments) kinds.add(each["@odata.type"]);
    const isInlinePdf = attachments.some(
      (each) => each["isInline"] && each["contentType"] === "application/pdf",
    );
    if (isInlinePdf && message["hasAttachments"] === false) inlineOnly += 1;
  }
  expect(kinds).toContain("#microsoft.graph.fileAttachment");
  expect(kinds).toContain("#microsoft.graph.itemAttachment");
  expect(inlineOnly).toBe(1);
  const shared = await get("/users/priya.nair@ashdown.example/messages?$top=50");
  const [reference] = await attachmentsOf(
    "priya.nair@ashdown.example",
    shared.body.value.find((each) => each["hasAttachments"])?.["id"],
  );
  expect(reference?.["@odata.type"]).toBe("#microsoft.graph.referenceAttachment");
});

it("an account without a licence has no mailbox", async () => {
  expect((await get("/users/lobby.kiosk@ashdown.example/messages")).status).toBe(404);
});

it("the journal contains the true values of every document that was sent", () => {
  const documents = tenant.journal.entries().filter((entry) => entry.kind === "document.sent");
  expect(documents.length).toBeGreaterThanOrEqual(8);
  expect(documents.flatMap((entry) => entry["trades"] as object[])[0]).toHaveProperty("isin");
});

it("sample mail arrives on the tenant's clock until it is stopped", async () => {
  const count = () => tenant.graph.admin.mailboxTruth("settlements@ashdown.example").length;
  const before = count();
  const stop = startDrip(tenant, { to: "settlements@ashdown.example", everyMs: 60_000 });
  await tenant.clock.advance(3.5 * 60_000);
  expect(count()).toBe(before + 4);
  stop();
  await tenant.clock.advance(600_000);
  expect(count()).toBe(before + 4);
});

it("generated messages are the same each time and differ from one another", () => {
  expect(generateMessage(123_456)).toEqual(generateMessage(123_456));
  const ids = Array.from({ length: 1000 }, (_, index) => generateMessage(index).internetMessageId);
  expect(new Set(ids).size).toBe(1000);
});
