import { constants, createDecipheriv, createHmac, privateDecrypt } from "node:crypto";
import { generate } from "selfsigned";
import { describe, expect, it } from "vitest";
import { ALEX, APP, createGraphBench, type Loose } from "../testing/graph-bench.ts";

async function certificate(keySize = 2048) {
  const made = await generate([{ name: "commonName", value: "test" }], { keySize });
  const base64 = made.cert.replace(/-----[^-]+-----|\s/g, "");
  return { base64, privateKey: made.private };
}

function open(content: Loose, privateKey: string): Loose {
  const key = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    Buffer.from(content.dataKey, "base64"),
  );
  const data = Buffer.from(content.data, "base64");
  expect(createHmac("sha256", key).update(data).digest("base64")).toBe(content.dataSignature);
  const decipher = createDecipheriv("aes-256-cbc", key, key.subarray(0, 16));
  return {
    key: key.toString("hex"),
    ...JSON.parse(Buffer.concat([decipher.update(data), decipher.final()]).toString()),
  };
}

describe("rich notifications", () => {
  it("carry the selected properties encrypted for the certificate, each with its own key", async () => {
    const bench = createGraphBench();
    const { base64, privateKey } = await certificate();
    const made = await bench.subscribe({
      resource: `users/${ALEX}/messages?$select=subject,from`,
      includeResourceData: true,
      encryptionCertificate: base64,
      encryptionCertificateId: "key-1",
    });
    expect(made.status).toBe(201);
    await bench.admin.sendMail({ to: ALEX, subject: "Rich" });
    const [gone] = await bench.admin.sendMail({ to: ALEX, subject: "Richer" });
    bench.admin.hardDelete(ALEX, gone!.id);
    await bench.clock.advance(1000);
    const post = JSON.parse(bench.received.at(-1)!.body);
    const [first, second, third] = post.value;
    expect(post.validationTokens).toEqual([`token-for-${APP}`]);
    expect(first.resource).toMatch(/^Users\('.+'\)\/messages\('.+'\)$/);
    expect(first.encryptedContent.encryptionCertificateId).toBe("key-1");
    expect(first.encryptedContent.encryptionCertificateThumbprint).toMatch(/^[0-9A-F]{40}$/);
    const [one, two] = [
      open(first.encryptedContent, privateKey),
      open(second.encryptedContent, privateKey),
    ];
    expect([one.subject, two.subject]).toEqual(["Rich", "Richer"]);
    expect(one).not.toHaveProperty("body");
    expect(one.key).not.toBe(two.key);
    expect(third.changeType).toBe("deleted");
    expect(third).not.toHaveProperty("encryptedContent");
  });

  it("need $select without the body, a real certificate, and last at most a day", async () => {
    const bench = createGraphBench();
    const { base64 } = await certificate();
    const rich = {
      includeResourceData: true,
      encryptionCertificate: base64,
      encryptionCertificateId: "key-1",
    };
    const resource = (query: string) => ({ ...rich, resource: `users/${ALEX}/messages${query}` });
    for (const query of [
      "",
      "?$select=body",
      "?$select=uniqueBody,subject",
      "?$select=subject&$top=5",
      "?$select=subject&$orderby=subject",
      "?$select=subject&$expand=attachments",
      "?$select=subject&$expand=singleValueExtendedProperties,attachments",
    ]) {
      expect((await bench.subscribe(resource(query))).status).toBe(400);
    }
    const extended = "$expand=singleValueExtendedProperties($filter=id eq 'String 0x1A')";
    expect((await bench.subscribe(resource(`?$select=subject&${extended}`))).status).toBe(201);
    expect(
      (
        await bench.subscribe({
          ...resource("?$select=subject"),
          encryptionCertificate: "bm9wZQ==",
        })
      ).status,
    ).toBe(400);
    const late = { expirationDateTime: new Date(bench.clock.now() + 25 * 3_600_000).toISOString() };
    const refused = await bench.subscribe({ ...resource("?$select=subject"), ...late });
    expect(refused.json.error.message).toContain("1440 minutes");
  });

  it("what changed before the certificate was replaced comes under the old one", async () => {
    const bench = createGraphBench();
    const [first, second] = [await certificate(), await certificate()];
    const { json } = await bench.subscribe({
      resource: `users/${ALEX}/messages?$select=subject`,
      includeResourceData: true,
      encryptionCertificate: first.base64,
      encryptionCertificateId: "old",
    });
    await bench.admin.sendMail({ to: ALEX, subject: "before" });
    const body = { encryptionCertificate: second.base64, encryptionCertificateId: "new" };
    const rotated = await bench.call("PATCH", `/v1.0/subscriptions/${json.id}`, { body });
    expect([rotated.status, rotated.json.encryptionCertificateId]).toEqual([200, "new"]);
    await bench.admin.sendMail({ to: ALEX, subject: "after" });
    await bench.clock.advance(1000);
    const [before, after] = bench.items().map((each) => each.encryptedContent);
    expect([before.encryptionCertificateId, after.encryptionCertificateId]).toEqual(["old", "new"]);
    expect(open(before, first.privateKey).subject).toBe("before");
    expect(open(after, second.privateKey).subject).toBe("after");
  });

  it("omit the validation tokens if the switch says so", async () => {
    const bench = createGraphBench({ switches: { withholdValidationTokens: true } });
    const { base64 } = await certificate();
    await bench.subscribe({
      resource: `users/${ALEX}/messages?$select=subject`,
      includeResourceData: true,
      encryptionCertificate: base64,
      encryptionCertificateId: "k",
    });
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(1000);
    expect(JSON.parse(bench.received.at(-1)!.body).validationTokens).toBeNull();
  });
});
