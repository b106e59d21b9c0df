import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { beforeAll, describe, it, vi } from "vitest";
import { createOutput } from "../src/cli/base/output.ts";
import { extractCommand } from "../src/cli/trades/extract.ts";
import { answerOf } from "../src/client/index.ts";
import { endDocument, recordDocument } from "../src/ingestion/document-table.ts";
import { createDriftWatch } from "../src/trades/drift/sender-yield.ts";
import { NO_FACTS } from "../src/trades/trade.ts";
import { insertTradeLine } from "../src/trades/trade-line-table.ts";
import { aLog, anApp, type TestApp } from "./helpers/app.ts";
import { clientFor } from "./helpers/client.ts";

describe("a sender whose layout changes", () => {
  let app: TestApp;
  let documents = 0;
  const DAY_MS = 86_400_000;

  /** A document of some weeks ago as a walk leaves it: with a line that was read well, badly or not at all. */
  async function arrive(sender: string, weeksAgo: number, confidence: number | null) {
    documents += 1;
    const document = await recordDocument(app.database, {
      emailKey: `mail-${documents}`,
      sha256: String(documents),
      source: "graph_webhook",
      mailbox: null,
      messageId: null,
      senderEmail: sender,
      senderEvidence: null,
      receivedAt: new Date(Date.now() - weeksAgo * 7 * DAY_MS - 1_000),
      filename: "note.pdf",
      sizeBytes: 1,
      foundIn: "attachment",
    });
    await endDocument(app.database, document.id, {
      status: confidence === null ? "unreadable" : "parsed",
    });
    if (confidence === null) return;
    await insertTradeLine(app.database, {
      ...{ documentId: document.id, position: 0, facts: NO_FACTS, confidence, tradeId: null },
      ...{ outcome: "review", explanation: [], evidence: {} },
    });
  }

  beforeAll(async () => {
    app = await anApp(null, {}, { roles: ["api"] });
    for (let weeksAgo = 1; weeksAgo <= 8; weeksAgo++)
      for (let i = 0; i < 4; i++) await arrive("Notes@Broker.example", weeksAgo + 1, 0.93);
    for (let weeksAgo = 0; weeksAgo < 9; weeksAgo++)
      await arrive("other@bank.example", weeksAgo, 0.9);
    // Nothing was found in most of the new ones, and little in the rest.
    for (let i = 0; i < 6; i++) await arrive("notes@broker.example", 0, i < 4 ? null : 0.2);
  });

  it("is named by the doctor, with the shares now and before [R30]", async () => {
    const checks = await answerOf(clientFor(app).GET("/api/doctor"));
    const check = checks.find((one) => one.name === "layouts of senders")!;
    assert.equal(check.status, "warning");
    assert.match(
      check.detail,
      /^notes@broker\.example: 0 % of 6 documents since \d{4}-W\d\d yielded trades, down from 100 %$/,
    );
  });

  it("is warned of once, and counted in the metrics [R30]", async () => {
    const { log, lines } = aLog();
    const metrics = new Registry();
    const watch = createDriftWatch({ database: app.database, log, metrics });
    await watch();
    await watch();
    assert.equal(lines.filter((line) => String(line["msg"]).startsWith("a layout")).length, 1);
    assert.match(await metrics.metrics(), /^postroom_senders_drifting 1$/m);
  });

  it("is shown by postroom extract --drift, week by week", async () => {
    vi.stubEnv("POSTROOM_HOME", app.home);
    vi.stubEnv("PORT", String(app.port));
    let text = "";
    const write = (part: string) => (text += part);
    await extractCommand(createOutput({ write, writeNote: write })).parseAsync([
      "node",
      "extract",
      "--drift",
    ]);
    vi.unstubAllEnvs();
    assert.match(text, /other@bank\.example +\d{4}-W\d\d +1 +1/);
    assert.match(text, /notes@broker\.example: 0 % of 6 documents/);
  });
});
