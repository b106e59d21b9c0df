import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestCommand } from "../../src/cli/trades/ingest.ts";
import { ordersCommand } from "../../src/cli/trades/orders.ts";
import { reviewCommand } from "../../src/cli/trades/review.ts";
import { arrive, call, closeDoors, oldest, openDoors, run, shop } from "./doors.ts";

beforeAll(openDoors);
afterAll(closeDoors);

describe("orders", () => {
  it("are imported from a file completely or not at all, and listed; a trade without a matching order asks for one [TRD-05] [X-06]", async () => {
    const file = join(shop.folder, "orders.csv");
    await writeFile(
      file,
      "reference,username,direction,quantity,placedOn,ticker\nO-7,ldeburna,BUY,77,2026-01-01,ORD7\nO-8,ldeburna,SELL,1,2026-01-01,ORD7\n",
    );
    expect((await run(ordersCommand, "import", file, "--dry-run")).text).toBe(
      "2 orders read; would be: 2 added, 0 changed, 0 unchanged\n",
    );
    expect((await run(ordersCommand, "import", file)).text).toBe(
      "2 added, 0 changed, 0 unchanged\n",
    );
    expect((await run(ordersCommand, "import", file)).text).toBe(
      "0 added, 0 changed, 2 unchanged\n",
    );
    const csv = `${await readFile(file, "utf8")}O-9,ldeburna,SELL,5,2026-01-02,ORD7\n`;
    const changed = csv.replace("BUY,77", "BUY,79");
    const preview = await call("POST", "/api/orders/import", { csv: changed, dryRun: true });
    expect(preview.body).toEqual({
      ...{ dryRun: true, orders: 3, added: 1, changed: 1, unchanged: 1 },
      changes: [
        {
          ...{ reference: "O-7", change: "changed" },
          fields: [{ name: "quantity", from: "77", to: "79" }],
        },
        { reference: "O-9", change: "added", fields: [] },
      ],
    });
    expect((await run(ordersCommand, "list", "--status", "open")).text).toMatch(
      /O-7\s+ldeburna\s+BUY 77 ORD7/,
    );
    await writeFile(file, "reference,username\nO-9,x\n");
    expect((await run(ordersCommand, "import", file)).error).toMatch(/^line 2: /);

    const { trade } = await arrive({ ticker: "ORD7", quantity: 78, gross: null, net: null });
    const review = await oldest();
    expect(review).toMatchObject({ subject: "order", tradeId: trade!.id });
    const shown = await run(reviewCommand, "show", String(review.id));
    expect(shown.text).toMatch(/O-7: 78 were traded, 77 ordered/);
    const { orders } = (await call("GET", "/api/orders?username=LdeBurna")).body as {
      orders: { id: number; reference: string }[];
    };
    const order = String(orders[0]!.id);
    const link = (...words: string[]) => run(reviewCommand, "link", String(review.id), ...words);
    expect((await link("--order", "O-99")).error).toContain("there is no order O-99");
    expect((await link("--trade", trade!.id)).error).toBe(
      `question ${review.id} asks which order the trade belongs to; link it to an order, not to a trade`,
    );
    expect((await link("--order", "O-7")).text).toContain(
      `link, applied: the trade belongs to order ${order}`,
    );
    const story = (await call("GET", `/api/trades/${trade!.id}`)).body;
    expect(story).toMatchObject({
      orderState: "linked",
      order: { reference: "O-7", status: "executed" },
    });
    expect((await run(ordersCommand, "cancel", "O-7")).error).toBe(
      "order O-7 was executed; undo its trade first",
    );
    expect((await run(ordersCommand, "cancel", "O-8")).text).toContain("cancelled");
    expect(JSON.parse((await run(ordersCommand, "cancel", "O-8", "--json")).text)).toEqual({
      reference: "O-8",
      status: "cancelled",
    });
    expect((await run(ordersCommand, "cancel", "O-99")).error).toBe(
      "there is no order O-99; postroom orders list shows them",
    );
    const put = {
      reference: "O-10",
      username: "new",
      direction: "sell",
      quantity: 2,
      placedOn: "2026-01-01",
    };
    expect((await call("POST", "/api/orders", put)).status).toBe(201);
    expect((await call("POST", "/api/orders", { ...put, quantity: 3 })).body).toMatchObject({
      change: "changed",
    });
    expect((await call("POST", "/api/orders", { ...put, quantity: -3 })).status).toBe(400);
  });
});

describe("the shared table", () => {
  it("shows its messages and the guard, which is installed and removed by a command", async () => {
    await arrive();
    expect((await run(ingestCommand, "guard", "status")).text).toBe("guard: absent\n");
    expect((await run(ingestCommand, "guard", "install", "--dry-run")).text).toBe(
      "guard: absent, would install\n",
    );
    expect((await run(ingestCommand, "guard", "install")).text).toBe("guard: installed\n");
    expect((await run(ingestCommand, "status")).text).toMatch(
      /success.*\n.*bo_airflow\.email_ingestion_state.*\nguard: installed/,
    );
    expect((await run(ingestCommand, "guard", "remove", "--json")).text).toBe(
      '{"guard":"absent"}\n',
    );
    expect((await run(ingestCommand, "foreign-lease", "airflow-", "3600", "--json")).text).toBe(
      '{"workerPrefix":"airflow-","seconds":3600}\n',
    );
    expect((await call("GET", "/api/ingest")).body).toMatchObject({
      foreignLeases: [
        { workerPrefix: "", leaseSeconds: 7200 },
        { workerPrefix: "airflow-", leaseSeconds: 3600 },
      ],
    });
    expect((await run(ingestCommand, "mails", "--status", "success")).text).toContain(
      "Contract note",
    );
  });

  it("a skipped message is processed again on request, and its trace is shown [ING-07] [ING-16]", async () => {
    const id = await shop.send({});
    await shop.ingest(id);
    const asked = await run(ingestCommand, "again", shop.mailbox, id, "--json");
    expect(JSON.parse(asked.text)).toMatchObject({ jobId: expect.any(String) });
    await shop.jobs.workUntilIdle();
    const { body } = await call("GET", `/api/ingest/mails/${encodeURIComponent(id)}`);
    const { mail, steps } = body as { mail: { status: string }; steps: { name: string }[] };
    expect(mail.status).toBe("skipped");
    expect(steps.map((step) => step.name)).toEqual([
      "id",
      "check",
      "claim",
      "fetch",
      "mark",
      "id",
      "check",
      "claim",
      "fetch",
      "mark",
    ]);
    expect((await call("GET", "/api/ingest/mails/unknown")).status).toBe(404);
  });
});
