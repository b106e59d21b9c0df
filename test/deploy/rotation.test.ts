/** Secrets are renewed while the server runs. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keepSecrets } from "../../src/app/renew-secrets.ts";
import { loadConfig } from "../../src/config.ts";
import { createManualClock } from "../../src/lib/clock.ts";
import { Secret } from "../../src/lib/redact.ts";
import { createAppTokens } from "../../src/microsoft/identity/app-token.ts";
import { aLog, aTenant, settingsFor, until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "postroom-rotation-"));
afterAll(() => rmSync(folder, { recursive: true }));

const GRAPH = { GRAPH_TENANT_ID: "t", GRAPH_CLIENT_ID: "c", GRAPH_CLIENT_SECRET: "first-secret" };

describe("a secret that is renewed", () => {
  it("is what the next call to Entra uses", async () => {
    const tenant = await aTenant();
    const clientSecret = new Secret("not-the-right-one");
    const { tenantId, clientId } = tenant;
    const identity = { tenantId, clientId, clientSecret, authorityOrigin: tenant.addresses.entra };
    const token = createAppTokens(identity, "https://graph.microsoft.com");
    await expect(token()).rejects.toThrow("the client secret is wrong");
    clientSecret.renew(tenant.clientSecret);
    expect(await token()).toMatch(/^eyJ/);
  });

  it("is read again every minute; callers may present the one before for 15 more", async () => {
    const clock = createManualClock(0);
    const config = loadConfig({ ...GRAPH, METRICS_KEY: "key-number-one-of-two" });
    let fresh = config;
    const { stop } = keepSecrets({ config, clock, log: aLog().log }, () => fresh);
    fresh = loadConfig({ ...GRAPH, METRICS_KEY: "key-number-two-of-two" });
    clock.advance(59_000);
    expect(config.metricsKey!.reveal()).toBe("key-number-one-of-two");
    clock.advance(1_000);
    await until(
      "the key to change",
      async () => config.metricsKey!.reveal() === "key-number-two-of-two",
    );
    expect(config.metricsKey!.accepted()).toHaveLength(2);
    expect(config.graph!.clientSecret.accepted()).toEqual(["first-secret"]);
    clock.advance(15 * 60_000);
    expect(config.metricsKey!.accepted()).toEqual(["key-number-two-of-two"]);
    stop();
  });

  it("twice within minutes, as after a typing error, is accepted in each form for its own 15", async () => {
    const clock = createManualClock(0);
    const keyed = (number: number) =>
      loadConfig({ ...GRAPH, METRICS_KEY: `key-number-${number}-of-three` });
    const config = keyed(1);
    let fresh = keyed(2);
    const { ask, stop } = keepSecrets({ config, clock, log: aLog().log }, () => fresh);
    const numbers = () => config.metricsKey!.accepted().map((key) => key.split("-")[2]);
    await ask();
    clock.advance(10 * 60_000);
    fresh = keyed(3);
    await ask();
    expect(numbers()).toEqual(["3", "2", "1"]);
    clock.advance(5 * 60_000);
    expect(numbers()).toEqual(["3", "2"]);
    clock.advance(10 * 60_000);
    expect(numbers()).toEqual(["3"]);
    stop();
  });

  it("stays as it is while the settings are invalid", async () => {
    const config = loadConfig(GRAPH);
    const { log, lines } = aLog();
    const load = () => loadConfig({ ...GRAPH, GRAPH_CLIENT_SECRET: "" });
    const { ask, stop } = keepSecrets({ config, clock: createManualClock(0), log }, load);
    await ask();
    stop();
    expect(config.graph!.clientSecret.reveal()).toBe("first-secret");
    expect(lines.at(-1)!["msg"]).toContain("the secrets stay as they are");
  });

  it("is taken over from its file on SIGHUP, and no call is refused meanwhile", async () => {
    const file = join(folder, "METRICS_KEY");
    writeFileSync(file, "the-first-key-of-the-metrics");
    const tenant = await aTenant();
    const settings = await settingsFor(tenant, { METRICS_KEY_FILE: file });
    const child: ChildProcess = spawn(process.execPath, [join(ROOT, "bin/postroom.js"), "serve"], {
      env: { PATH: process.env["PATH"], ...settings },
      stdio: "ignore",
    });
    endWithUs(child);
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    const statusWith = (key: string) =>
      fetch(`http://127.0.0.1:${settings["PORT"]}/metrics`, {
        headers: { authorization: `Bearer ${key}` },
      }).then(
        ({ status }) => status,
        () => null,
      );
    await until(
      "it to serve",
      async () => (await statusWith("the-first-key-of-the-metrics")) === 200,
    );
    expect(await statusWith("the-second-key-of-the-metrics")).toBe(401);
    writeFileSync(file, "the-second-key-of-the-metrics");
    child.kill("SIGHUP");
    await until(
      "the new key",
      async () => (await statusWith("the-second-key-of-the-metrics")) === 200,
    );
    expect(await statusWith("the-first-key-of-the-metrics")).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});
