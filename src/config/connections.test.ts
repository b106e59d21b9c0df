import { describe, expect, it } from "vitest";
import { loadConfig } from "../config.ts";

const OTHER = {
  Connections__other__TenantId: "tenant",
  Connections__other__ClientId: "client",
  Connections__other__ClientSecret: "env:THE_SECRET",
  THE_SECRET: "hidden words",
};

describe("further tenants in the settings", () => {
  it("further tenants are read with references resolved and secrets that do not print [OPS-02] [SEC-01]", () => {
    const config = loadConfig({
      ...OTHER,
      GRAPH_TENANT_ID: "first",
      GRAPH_CLIENT_ID: "a",
      GRAPH_CLIENT_SECRET: "a-secret",
      Connections__other__GraphUrl: "https://graph.microsoft.us/v1.0",
    });
    expect(Object.keys(config.connections)).toEqual(["default", "other"]);
    expect(config.connections["other"]).toMatchObject({
      tenantId: "tenant",
      graphOrigin: "https://graph.microsoft.us",
      authorityOrigin: "https://login.microsoftonline.com",
    });
    expect(config.connections["other"]!.clientSecret.reveal()).toBe("hidden words");
    expect(JSON.stringify(config)).not.toContain("hidden words");
  });

  it("every problem with a further tenant is named", () => {
    const load = () =>
      loadConfig({
        Connections__other__TenantId: "tenant",
        Connections__other__ClientSecret: "",
        Connections__other__Colour: "red",
        Connections__other__Authority: "not a url",
        Connections__default__TenantId: "x",
      });
    for (const words of [
      "Connections__other__ClientId: missing",
      "Connections__other__ClientSecret: must not be empty",
      "Connections__other__Colour: unknown field",
      "Connections__other__Authority: must be a URL",
      "Connections__default",
    ])
      expect(load).toThrow(words);
  });
});
