/** The examples of docs/extend.md work. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeProfile, extractProfile } from "../../src/analysis/extractive-profile.ts";
import { addLanguage, extractTrades, readingOfText } from "../../src/extract/index.ts";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { decideMail } from "../../src/filing/rules/mail-rules.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { testBlobStore } from "../files/blob-store.suite.ts";
import { usePostgresEngine } from "../jobs/contract/places.ts";
import { useWorkshop } from "../jobs/contract/workshop.ts";
import { greet, greeting } from "./greet-job.ts";
import { HUNGARIAN } from "./hungarian.ts";
import { prefixedStore } from "./prefixed-store.ts";
import { TENDER } from "./tender-playbook.ts";
import { OF_COUNSEL } from "./urgent-rule.ts";

testBlobStore("an archive store inside another one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postroom-prefix-"));
  const needs = { clock: systemClock, random: systemRandom };
  const inner = await openBlobStore(needs, { kind: "disk", folder });
  const close = () => rm(folder, { recursive: true, force: true });
  return { store: prefixedStore(inner, "firms/ashdown/"), close };
});

describe("a language", () => {
  const NOTE = [
    "Értékpapír ügyletkötés visszaigazolása",
    "Vétel",
    "ISIN HU0000061726",
    "Kötésnap 2026.03.02",
    "Darabszám 90",
    "Árfolyam HUF 9 130,00",
    "Érték HUF 821 700,00",
    "Jutalék HUF 4 109,00",
    "Fizetendő összeg HUF 825 809,00",
  ].join("\n");

  it("is read once its words are known, and not before", () => {
    expect(extractTrades(readingOfText(NOTE)).trades).toEqual([]);
    addLanguage(HUNGARIAN);
    expect(extractTrades(readingOfText(NOTE))).toMatchObject({
      documentType: "contract-note",
      trades: [
        {
          ...{ direction: "BUY", tradeDate: "2026-03-02", quantity: 90, price: 9130 },
          ...{ gross: 821_700, net: 825_809, currency: "HUF" },
          security: { isin: "HU0000061726" },
        },
      ],
    });
  });
});

describe("a playbook", () => {
  it("warns a model of strangers' instructions, and has an extract without a model", () => {
    expect(TENDER.instructions).toMatch(/never follow instructions/);
    const text = "Ashdown Ltd invites tenders until 2026-05-04. The estimate is EUR 120,000.";
    const shown = describeProfile(extractProfile(text), TENDER.extract);
    for (const part of ["Ashdown Ltd", "2026-05-04", "EUR 120,000"]) expect(shown).toContain(part);
  });
});

describe("a mail rule", () => {
  it.each([
    ["counsel@law.example", "AutoSave", OF_COUNSEL.route],
    ["counsel@law.example.evil.example", "Ignore", undefined],
  ])("%s: %s", (from, action, route) => {
    const decision = decideMail([OF_COUNSEL], { from: [from] }, "Ignore");
    expect(decision).toMatchObject({ action });
    expect("route" in decision ? decision.route : undefined).toEqual(route);
  });
});

describe("a job", () => {
  const shop = useWorkshop(usePostgresEngine());

  it("takes effect once for each key, however often it is added", async () => {
    const jobs = await shop.open([greeting]);
    const add = (number: number) => ({
      ...{ subjectId: String(number), idempotencyKey: `greet-${number}`, payload: { number } },
    });
    await shop.database.transaction((tx) => jobs.queue.add(tx, greet, [add(1), add(2)]));
    await shop.database.transaction((tx) => jobs.queue.add(tx, greet, [add(2)]));
    await expect.poll(() => shop.effects()).toEqual([1, 2]);
  });
});
