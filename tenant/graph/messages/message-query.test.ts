import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose } from "../testing/graph-bench.ts";
import { toDraft } from "./message-input.ts";
import { parseMessageFilter } from "./message-query.ts";

const MESSAGES = `/v1.0/users/${ALEX}/messages`;

async function filled() {
  const bench = createGraphBench();
  const mails = [
    {
      subject: "Contract note 1",
      from: "Ann Lee <ann@broker.example>",
      isRead: true,
      categories: ["Trade"],
    },
    {
      subject: "Newsletter",
      from: "news@paper.example",
      isRead: false,
      importance: "high" as const,
    },
    {
      subject: "contract note 2",
      from: "ann@broker.example",
      isRead: false,
      attachments: [{ name: "a.pdf" }],
    },
    { subject: "It's late", from: "bob@x.example", isRead: false },
  ];
  for (const mail of mails) {
    await bench.admin.sendMail({ to: ALEX, ...mail });
    await bench.clock.advance(60_000);
  }
  const subjects = async (query: string) => {
    const answer = await bench.get(`${MESSAGES}?${query}`);
    return answer.json.value.map((each: Loose) => each.subject);
  };
  return { bench, subjects };
}

describe("filters", () => {
  it.each([
    ["isRead eq true", ["Contract note 1"]],
    ["isRead ne true and hasAttachments eq true", ["contract note 2"]],
    ["contains(subject,'contract')", ["contract note 2", "Contract note 1"]],
    ["startswith(subject,'News') or endswith(subject,'late')", ["It's late", "Newsletter"]],
    ["subject eq 'It''s late'", ["It's late"]],
    ["not (from/emailAddress/address eq 'ann@broker.example')", ["It's late", "Newsletter"]],
    ["categories/any(c:c eq 'Trade')", ["Contract note 1"]],
    ["importance eq 'high'", ["Newsletter"]],
    ["receivedDateTime ge 2026-01-05T09:02:00Z", ["It's late", "contract note 2"]],
    ["receivedDateTime lt 2026-01-05T10:01:00+01:00", ["Contract note 1"]],
    ["hasAttachments", ["contract note 2"]],
  ])("%s", async (filter, expected) => {
    const { subjects } = await filled();
    expect(await subjects(`$filter=${encodeURIComponent(filter)}`)).toEqual(expected);
  });

  it("a sort order that the filter does not begin with is inefficient", async () => {
    const { bench, subjects } = await filled();
    const refused = await bench.get(
      `${MESSAGES}?$filter=isRead eq false&$orderby=receivedDateTime`,
    );
    expect([refused.status, refused.json.error.code]).toEqual([400, "InefficientFilter"]);
    const query =
      "$filter=receivedDateTime ge 2026-01-01T00:00:00Z and isRead eq false&$orderby=receivedDateTime";
    expect(await subjects(query)).toEqual(["Newsletter", "contract note 2", "It's late"]);
  });

  it("sorts, counts and searches", async () => {
    const { bench, subjects } = await filled();
    expect(await subjects("$orderby=subject desc&$top=2")).toEqual(["Newsletter", "It's late"]);
    expect(await subjects('$search="broker note"')).toEqual(["contract note 2", "Contract note 1"]);
    const counted = await bench.get(`${MESSAGES}?$count=true&$top=1&$filter=isRead eq false`);
    expect(counted.json["@odata.count"]).toBe(3);
    expect((await bench.get(`${MESSAGES}/$count`)).body).toBe("4");
    expect((await bench.get(`${MESSAGES}?$search="x"&$filter=isRead eq true`)).status).toBe(400);
  });

  it("pages a filtered list completely, each message once", async () => {
    const bench = createGraphBench();
    for (let index = 0; index < 30; index++) {
      await bench.admin.sendMail({ to: ALEX, subject: `${index}`, isRead: index % 3 > 0 });
    }
    const seen: string[] = [];
    let link = `${MESSAGES}?$filter=isRead eq false&$top=4&$select=subject`;
    while (link) {
      const page = await bench.get(link);
      seen.push(...page.json.value.map((each: Loose) => each.subject));
      link = page.json["@odata.nextLink"];
    }
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
  });

  it("an empty page may carry a nextLink", async () => {
    const { bench } = await filled();
    bench.faults.arm({ kind: "empty-page", remaining: 1 });
    const empty = await bench.get(MESSAGES);
    expect(empty.json.value).toEqual([]);
    const next = await bench.get(empty.json["@odata.nextLink"]);
    expect(next.json.value).toHaveLength(4);
  });
});

it("filters by recipients are refused with Exchange's code, and so is a sixth header of one's own", () => {
  expect(() =>
    parseMessageFilter("toRecipients/any(r:r/emailAddress/address eq 'a@b.example')"),
  ).toThrowError(expect.objectContaining({ status: 400, code: "ErrorInvalidUrlQueryFilter" }));
  const headers = (count: number) => ({
    internetMessageHeaders: Array.from({ length: count }, (_, index) => ({
      name: `x-${index}`,
      value: "1",
    })),
  });
  expect(toDraft(headers(5)).headers).toHaveLength(5);
  expect(() => toDraft(headers(6))).toThrowError(
    expect.objectContaining({ code: "InvalidInternetMessageHeaderCollection" }),
  );
});
