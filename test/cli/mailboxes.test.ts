/** Mailboxes and the doctor while Graph fails, and what adding a mailbox again changes. */
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as watching from "../../src/flows/specs/watching.ts";
import { DEFAULT_RETRY_RULES, judgeFailure } from "../../src/jobs/worker/judge.ts";
import { getMailboxByAddress } from "../../src/mailbox/mailbox-table.ts";
import { diagnose } from "../../src/mailbox/operating/diagnose.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, watch } from "../helpers/app.ts";
import { commandsFor, type Ran } from "../helpers/cli.ts";

let tenant: Tenant;
let app: TestApp;
let postroom: (typed: string | readonly string[]) => Promise<Ran>;
const nina = "nina.berg@ashdown.example";

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant);
  postroom = commandsFor(app);
  await watch(app, tenant, ["nina"]);
});

/** Graph does not answer until the test ends. */
function outage(kind = "server-error"): void {
  tenant.faults.arm({ kind, where: { part: "graph" } });
  onTestFinished(() => tenant.faults.disarm());
}

describe("postroom mailbox add", () => {
  it("leaves what you do not name as it is, so that adding again does not turn ingestion off", async () => {
    const added = await postroom(`mailbox add ${nina} --ingest Inbox`);
    expect(added.out).toContain("is watched; ingests: Inbox; subscription: ");
    const again = await postroom(`mailbox add ${nina}`);
    expect(again.out).toContain("ingests: Inbox");
    expect(await getMailboxByAddress(app.database, nina)).toMatchObject({
      ingestFolder: "Inbox",
      observes: true,
    });
    expect((await postroom("mailbox list")).out).toMatch(/nina\S+ +active +Inbox/);
    const off = await postroom(`mailbox add ${nina} --no-ingest`);
    expect(off.out).toContain("ingests: nothing");
  });

  it.each(["Inbix", "inbox/notes"])("refuses a folder that does not exist: %s", async (folder) => {
    const { code, err } = await postroom(["mailbox", "add", nina, "--ingest", folder]);
    expect(code).toBe(1);
    expect(err).toContain(`it has no folder ${folder}`);
    expect(await getMailboxByAddress(app.database, nina)).toMatchObject({ ingestFolder: null });
  });

  it("accepts a folder by its display name", async () => {
    const { out } = await postroom(["mailbox", "add", nina, "--ingest", "Junk Email"]);
    expect(out).toContain("ingests: Junk Email");
    await postroom(`mailbox add ${nina} --no-ingest`);
  });
});

describe("an outage of Graph", () => {
  it("verify asks to try again and leaves the mailbox active", async () => {
    outage("reset");
    const { code, err } = await postroom(`mailbox verify ${nina}`);
    expect({ code, err }).toMatchObject({ code: 75 });
    expect((await getMailboxByAddress(app.database, nina))!.status).toBe("active");
  });

  it("audit names the mailbox that it cannot compare, and fails", async () => {
    await app.database.query(
      "UPDATE postroom.mailbox SET status = 'unreachable', status_reason = 'Graph refuses it'",
    );
    const { code, err } = await postroom("audit");
    await app.database.query("UPDATE postroom.mailbox SET status = 'active', status_reason = NULL");
    expect(code).toBe(1);
    expect(err).toContain(`${nina}: not audited, because it is unreachable: Graph refuses it`);
    expect(err).toContain("1 mailbox could not be audited");
  });

  it.each(Object.values(watching).filter((spec) => spec !== watching.mailChanged))(
    "a scheduled job outlasts two minutes, even if its pauses are short: $type",
    (spec) => {
      const random = { fraction: () => 0.1 } as never;
      const failure = {
        isSuccess: false,
        retryable: true,
        countsAsAttempt: true,
        errorCode: "graph.unavailable",
        errorMessage: "down",
      } as never;
      let totalMs = 0;
      for (let attempt = 1; attempt < spec.maxAttempts; attempt += 1) {
        const job = { ...spec, jobId: "j", jobType: spec.type, attempt } as never;
        totalMs += judgeFailure(job, failure, DEFAULT_RETRY_RULES, random).retryInMs!;
      }
      expect(totalMs).toBeGreaterThan(120_000);
    },
  );
});

describe("postroom doctor", () => {
  it("each check has its own limit and tells the truth while Graph and Entra hang", async () => {
    tenant.faults.arm({ kind: "timeout" });
    onTestFinished(() => tenant.faults.disarm());
    const checks = await diagnose({ ...app.watching.diagnosis, checkMs: 5_000 });
    const failed = checks.filter((check) => check.status === "failed").map((check) => check.name);
    expect(failed).toEqual(
      expect.arrayContaining(["permissions (default)", "clock (default)", `mailbox ${nina}`]),
    );
    expect(checks.find((check) => check.name === `mailbox ${nina}`)!.detail).toBe(
      "no answer within 5 s",
    );
    expect(checks.find((check) => check.name === "public address")!.status).toBe("ok");
  });

  it("names a check of another part that fails or does not end", async () => {
    const further = [
      { name: "one that hangs", check: () => new Promise<never>(() => {}) },
      { name: "one that fails", check: () => Promise.reject(new Error("broken")) },
    ];
    const checks = await diagnose({ ...app.watching.diagnosis, checkMs: 300, further });
    expect(checks.find(({ name }) => name === "one that hangs")).toMatchObject({
      ...{ status: "failed", detail: "no answer within 0.3 s" },
    });
    expect(checks.find(({ name }) => name === "one that fails")).toMatchObject({
      ...{ status: "failed", detail: "broken" },
    });
  });

  it("does not report Entra as healthy only because it once was", async () => {
    tenant.faults.arm({ kind: "reset", where: { part: "entra" } });
    onTestFinished(() => tenant.faults.disarm());
    const { out } = await postroom("doctor --json");
    const checks = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(checks.find((check) => check.name === "permissions (default)").status).toBe("failed");
    expect(checks.find((check) => check.name === "clock (default)").status).toBe("ok");
  });

  it("names a subscription that Graph no longer has", async () => {
    expect((await postroom("doctor")).err).toBe("");
    tenant.graph.admin.removeSubscription(tenant.graph.admin.subscriptions()[0]!.id, {
      notify: false,
    });
    const { code, out } = await postroom("doctor --fix-hints");
    expect(code).toBe(1);
    expect(out).toMatch(
      /failed +mailbox nina\S+ readable, but Graph no longer knows its subscription/,
    );
    expect(out).toContain("postroom sub ensure");
    await postroom("sub ensure");
    expect((await postroom("doctor")).code).toBe(0);
  });
});
