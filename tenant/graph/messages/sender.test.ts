import { expect, it } from "vitest";
import { ALEX, BLAIR, createGraphBench, type Loose } from "../testing/graph-bench.ts";

// Shapes: "Anti-spam message headers in cloud organizations" (learn.microsoft.com/defender-office-365/message-headers-eop-mdo).
const MESSAGES = `/v1.0/users/${ALEX}/messages`;
const OUTSIDER = "desk@broker.example";

async function headersOf(bench: ReturnType<typeof createGraphBench>, id: string) {
  const read = await bench.get(`${MESSAGES}/${id}?$select=internetMessageHeaders`);
  return read.json.internetMessageHeaders as { name: string; value: string }[];
}

function valuesOf(headers: readonly { name: string; value: string }[], name: string): string[] {
  return headers.filter((each) => each.name === name).map(({ value }) => value);
}

it("mail from outside carries Exchange's verdict without an authserv-id, the receiving domain between the methods", async () => {
  const bench = createGraphBench();
  const [mail] = await bench.admin.sendMail({ to: ALEX, from: OUTSIDER });
  const headers = await headersOf(bench, mail!.id);
  expect(valuesOf(headers, "Authentication-Results")).toEqual([
    "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=broker.example; contoso.example; dkim=pass (signature was verified) header.d=broker.example;contoso.example; dmarc=pass action=none header.from=broker.example;compauth=pass reason=100",
  ]);
  expect(valuesOf(headers, "X-MS-Exchange-Organization-AuthAs")).toEqual(["Anonymous"]);
});

it("mail between people of one organization is internal and carries no verdict", async () => {
  const bench = createGraphBench();
  await bench.post(`/v1.0/users/${BLAIR}/sendMail`, {
    message: {
      subject: "Lunch",
      toRecipients: [{ emailAddress: { address: "alex@contoso.example" } }],
    },
  });
  const [received] = (await bench.get(MESSAGES)).json.value as Loose[];
  const headers = await headersOf(bench, received.id);
  expect(valuesOf(headers, "X-MS-Exchange-Organization-AuthAs")).toEqual(["Internal"]);
  expect(valuesOf(headers, "Authentication-Results")).toEqual([]);
});

it("a colleague's address used from outside is anonymous and fails", async () => {
  const bench = createGraphBench();
  const [mail] = await bench.admin.sendMail({
    to: ALEX,
    from: "blair@contoso.example",
    auth: "fail",
  });
  const headers = await headersOf(bench, mail!.id);
  expect(valuesOf(headers, "X-MS-Exchange-Organization-AuthAs")).toEqual(["Anonymous"]);
  const [results] = valuesOf(headers, "Authentication-Results");
  expect(results).toContain("dmarc=fail action=oreject header.from=contoso.example");
  expect(results).toContain("compauth=fail reason=000");
});

it("an unknown sender gets no verdict", async () => {
  const bench = createGraphBench();
  const [mail] = await bench.admin.sendMail({ to: ALEX, from: OUTSIDER, auth: "none" });
  const [results] = valuesOf(await headersOf(bench, mail!.id), "Authentication-Results");
  expect(results).toMatch(/spf=none .*dkim=none .*dmarc=none .*compauth=none/);
});

it("the sender's headers are below Exchange's, and marks of the organization are removed", async () => {
  const bench = createGraphBench();
  const forged = "spf=pass; dkim=pass; dmarc=pass;compauth=pass reason=100";
  const [mail] = await bench.admin.sendMail({
    to: ALEX,
    from: OUTSIDER,
    auth: "fail",
    headers: [
      { name: "Authentication-Results", value: forged },
      { name: "X-MS-Exchange-Organization-AuthAs", value: "Internal" },
    ],
  });
  const headers = await headersOf(bench, mail!.id);
  const results = valuesOf(headers, "Authentication-Results");
  expect(results).toHaveLength(2);
  expect(results[0]).toContain("compauth=fail");
  expect(results[1]).toBe(forged);
  expect(valuesOf(headers, "X-MS-Exchange-Organization-AuthAs")).toEqual(["Anonymous"]);
  const mime = String((await bench.get(`${MESSAGES}/${mail!.id}/$value`)).body);
  expect(mime.indexOf("compauth=fail")).toBeGreaterThan(0);
  expect(mime.indexOf("compauth=fail")).toBeLessThan(mime.indexOf("compauth=pass"));
  expect(mime).not.toContain("AuthAs: Internal");
});

it("drafts and sent items have no headers of a delivery that never happened", async () => {
  const bench = createGraphBench();
  const draft = bench.admin.createDraft(ALEX, { subject: "Soon", to: "blair@contoso.example" });
  expect(await headersOf(bench, draft.id)).toBeUndefined();
  const sent = bench.admin.sendDraft(ALEX, draft.id);
  const moved = await bench.get(`${MESSAGES}?$filter=subject eq 'Soon'`);
  expect(await headersOf(bench, moved.json.value[0].id)).toBeUndefined();
  expect(sent.internetMessageId).toBe(moved.json.value[0].internetMessageId);
});

it("delta has no headers; reading the message returns them", async () => {
  const bench = createGraphBench();
  await bench.admin.sendMail({ to: ALEX, from: OUTSIDER, subject: "One" });
  const page = await bench.get(
    `/v1.0/users/${ALEX}/mailFolders/inbox/messages/delta?$select=subject,internetMessageHeaders`,
  );
  expect(page.json.value[0].subject).toBe("One");
  expect(page.json.value[0]).not.toHaveProperty("internetMessageHeaders");
});
