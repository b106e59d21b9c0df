import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "./config.ts";

function problemsOf(settings: Record<string, string>): string {
  try {
    loadConfig(settings);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("settings", () => {
  it("the defaults work on a laptop: port 8010, home .postroom, mailbox folder Inbox [OPS-04] [ING-22]", () => {
    const config = loadConfig({});
    expect(config.port).toBe(8010);
    expect(config.home).toBe(join(process.cwd(), ".postroom"));
    expect(config.mailboxFolder).toBe("Inbox");
    expect(config.graph).toBeNull();
    expect(config.subscriptionMinutes).toBe(4_230);
  });

  it("one message names all invalid settings [OPS-02]", () => {
    const message = problemsOf({
      PORT: "x",
      DATABASE_URL: "mysql://y",
      SUBSCRIPTION_MINUTES: "20000",
      GRAPH_WEBHOOK_URL: "http://public.example",
    });
    for (const name of ["PORT", "DATABASE_URL", "SUBSCRIPTION_MINUTES", "GRAPH_WEBHOOK_URL"])
      expect(message).toContain(name);
  });

  it.each([
    ["PORT", "abc", "must be a number"],
    ["PORT", "70000", "must be at most 65535"],
    ["POSTROOM_HOME", "", "must not be empty"],
    ["LOG_LEVEL", "loud", "must be one of debug, info, warn, error, silent"],
    ["GRAPH_MAILBOX_EMAIL", "x", "must be an address such as ada@broker.example"],
    ["GRAPH_BASE_URL", "banana", "must be a URL such as https://example.com/"],
    ["POSTROOM_SECRETS", "/nowhere", "/nowhere: there is no such file or folder"],
    ["GRAPH_CLIENT_SECRET_FILE", "/nowhere", "/nowhere: there is no such file or folder"],
  ])("%s=%s is refused once, in words: %s", (name, value, words) => {
    const setting = name.replace("_FILE", "");
    const about = problemsOf({ [name]: value })
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith(`${setting}: `) && !line.includes("required together"));
    expect(about).toEqual([`${setting}: ${words}`]);
  });

  it("a missing setting of a group is named [OPS-02]", () => {
    expect(problemsOf({ GRAPH_TENANT_ID: "t" })).toMatch(
      /GRAPH_CLIENT_ID: missing[\s\S]*GRAPH_CLIENT_SECRET: missing/,
    );
    expect(problemsOf({ PORT: "x", GRAPH_TENANT_ID: "t" })).toMatch(
      /PORT[\s\S]*GRAPH_CLIENT_ID: missing/,
    );
    expect(problemsOf({ API_APP_ID: "a" })).toMatch(
      /API_CLIENT_SECRET: missing[\s\S]*TENANT_ID: missing/,
    );
  });

  it("an empty secret and a clientState that is too long for Graph are refused [H-11] [OPS-03] [SUB-10]", () => {
    expect(problemsOf({ GRAPH_CLIENT_STATE: "" })).toContain(
      "GRAPH_CLIENT_STATE: must not be empty",
    );
    expect(problemsOf({ GRAPH_CLIENT_STATE: "x".repeat(129) })).toContain("128");
    expect(problemsOf({ Redis__ConnectionString: "" })).toContain("Redis__ConnectionString");
  });

  it("secrets can be references and are never printed [SEC-01] [SEC-07]", () => {
    const file = join(mkdtempSync(join(tmpdir(), "postroom-secret-")), "secret");
    writeFileSync(file, "from-a-file\n");
    const identity = { GRAPH_TENANT_ID: "t", GRAPH_CLIENT_ID: "c" };
    const config = loadConfig({
      ...identity,
      GRAPH_CLIENT_SECRET: `file:${file}`,
      GRAPH_CLIENT_STATE: "env:ELSEWHERE",
      ELSEWHERE: "from-elsewhere-and-long",
    });
    expect(config.graph?.clientSecret.reveal()).toBe("from-a-file");
    expect(config.sharedClientState?.reveal()).toBe("from-elsewhere-and-long");
    expect(`${config.graph?.clientSecret} ${JSON.stringify(config)}`).not.toMatch(
      /from-a-file|from-elsewhere/,
    );
    expect(problemsOf({ ...identity, GRAPH_CLIENT_SECRET: "env:NOWHERE" })).toContain(
      "NOWHERE, which is not set",
    );
    expect(problemsOf({ GRAPH_CLIENT_STATE: "@Microsoft.KeyVault(SecretUri=x)" })).toContain(
      "Key Vault",
    );
  });

  it.each([
    "GRAPH_WEBHOOK_URL",
    "GRAPH_BASE_URL",
    "GRAPH_AUTHORITY",
    "Dataverse__ServiceUrl",
    "MODEL_BASE_URL",
    "Connections__other__GraphUrl",
    "Connections__other__Authority",
  ])("%s must be https unless it is this machine [SEC-04] [S70]", (name) => {
    for (const url of ["http://graph.example", "http://127.evil.example", "http://10.0.0.1"])
      expect(problemsOf({ [name]: url })).toContain(`${name}: must be https`);
    for (const url of [
      "http://127.0.0.1:1",
      "http://localhost:1",
      "http://[::1]:1",
      "https://x.example",
    ])
      expect(problemsOf({ [name]: url })).not.toContain(`${name}: must`);
  });

  it.each([
    ["GRAPH_CLIENT_SECRET", 8],
    ["API_CLIENT_SECRET", 8],
    ["Connections__other__ClientSecret", 8],
    ["GRAPH_CLIENT_STATE", 16],
    ["EmailProcessing__WebhookSecret", 16],
  ])(
    "%s must be neither empty nor a placeholder nor shorter than %i characters [H-11] [S70]",
    (name, least) => {
      expect(problemsOf({ [name]: "" })).toContain(`${name}: must not be empty`);
      for (const placeholder of [
        "changeme",
        "CHANGE-ME",
        "<your secret>",
        "your-secret-goes-here",
        "x".repeat(20),
      ])
        expect(problemsOf({ [name]: placeholder })).toContain(`${name}: is a placeholder`);
      expect(problemsOf({ [name]: "q".repeat(least - 1) })).toContain(`at least ${least}`);
      expect(problemsOf({ [name]: "q".repeat(least) })).not.toContain(`${name}: must`);
    },
  );

  it("a domain where anybody can get an address is not the firm's own", () => {
    for (const domain of ["gmail.com", "@outlook.com", "ｇｍａｉｌ.com"])
      expect(problemsOf({ FIRM_DOMAINS: `firm.example, ${domain}` })).toContain(
        `FIRM_DOMAINS: anybody can get an address at ${domain}`,
      );
    const own = "firm.example, @gmail.firm.example";
    expect(problemsOf({ FIRM_DOMAINS: own })).not.toContain("FIRM_DOMAINS");
  });

  it("trusted proxies are addresses or networks", () => {
    const list = "10.0.0.0/8, ::1, loopback";
    expect(loadConfig({ POSTROOM_TRUST_PROXY: list }).trustedProxies).toEqual([
      ...["10.0.0.0/8", "::1", "loopback"],
    ]);
    for (const wrong of ["proxy.example", "10.0.0.0/33", "true", ""])
      expect(problemsOf({ POSTROOM_TRUST_PROXY: wrong })).toContain("POSTROOM_TRUST_PROXY");
  });

  it("a public address must be https; http is allowed only on loopback [SEC-04]", () => {
    expect(problemsOf({ GRAPH_WEBHOOK_URL: "http://example.com" })).toContain("must be https");
    expect(loadConfig({ GRAPH_WEBHOOK_URL: "http://127.0.0.1:8010/" }).webhookUrl).toBe(
      "http://127.0.0.1:8010",
    );
    expect(loadConfig({ GRAPH_WEBHOOK_URL: "https://mail.example.com" }).webhookUrl).toBe(
      "https://mail.example.com",
    );
  });
});
