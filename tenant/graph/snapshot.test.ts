import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose } from "./testing/graph-bench.ts";

const DELTA = `/v1.0/users/${ALEX}/mailFolders/inbox/messages/delta`;

describe("a snapshot", () => {
  it("restores mail, delta links, subscriptions and items in transit", async () => {
    const bench = createGraphBench();
    await bench.subscribe();
    const [mail] = await bench.admin.sendMail({
      to: ALEX,
      subject: "kept",
      attachments: [{ name: "a.txt", bytes: Buffer.from("hello") }],
    });
    const { json } = await bench.get(DELTA);
    const state = bench.part.snapshot();
    bench.admin.hardDelete(ALEX, mail!.id);
    await bench.admin.sendMail({ to: ALEX, subject: "later" });
    bench.admin.removeSubscription(bench.admin.subscriptions()[0]!.id);

    bench.part.restore(state);
    const list = await bench.get(`/v1.0/users/${ALEX}/messages`);
    expect(list.json.value.map((each: Loose) => each.subject)).toEqual(["kept"]);
    const attachments = await bench.get(`/v1.0/users/${ALEX}/messages/${mail!.id}/attachments`);
    expect(attachments.json.value[0].contentBytes).toBe(Buffer.from("hello").toString("base64"));
    expect((await bench.get(json["@odata.deltaLink"])).json.value).toEqual([]);
    expect(bench.admin.subscriptions()).toHaveLength(1);
    await bench.clock.advance(1000);
    expect(bench.items().map((each) => each.changeType)).toEqual(["created"]);
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(1000);
    expect(bench.items()).toHaveLength(2);
  });

  it("survives encoding as text", async () => {
    const bench = createGraphBench();
    await bench.admin.sendMail({ to: ALEX, subject: "text" });
    const state = JSON.parse(JSON.stringify(bench.part.snapshot()));
    const other = createGraphBench();
    other.part.restore(state);
    expect(other.admin.mailboxTruth(ALEX)).toEqual(bench.admin.mailboxTruth(ALEX));
  });
});

describe("the journal", () => {
  it("is the same byte for byte for the same seed, calls and faults", async () => {
    const run = async () => {
      const bench = createGraphBench({ seed: "seven" });
      await bench.subscribe({ lifecycleNotificationUrl: "https://app.example/life" });
      for (const kind of ["drop-notification", "duplicate-notification", "late-notification"]) {
        bench.faults.arm({ kind, probability: 0.3 });
      }
      bench.endpoint("https://app.example/hook", () => ({
        status: bench.context.random.chance(0.3) ? 503 : 202,
      }));
      for (let index = 0; index < 40; index++) {
        const [mail] = await bench.admin.sendMail({ to: ALEX, subject: `${index}` });
        if (index % 3 === 0) bench.admin.move(ALEX, mail!.id, "archive");
        await bench.clock.advance(30_000);
      }
      await bench.clock.advance(6 * 3_600_000);
      return bench.journal.toJsonLines();
    };
    const [first, second] = [await run(), await run()];
    expect(first).toBe(second);
    expect(first).toContain("notification.failed");
    expect(first).toContain("fault.injected");
  });
});
