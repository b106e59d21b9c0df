import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactText } from "./redact.ts";

describe("text from outside", () => {
  it.each([
    "redis://:canary@host:6379/0",
    "redis://:p@canary@host",
    "rediss://user:canary@host",
    "postgres://u:canary@h/d",
    "https://canary@host/x",
    "amqps://Root:canary@ns",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=canary/ab+c==;EndpointSuffix=core",
    "Endpoint=sb://ns.example/;SharedAccessKeyName=Root;SharedAccessKey=canary=;EntityPath=x",
    "SharedAccessSignature sr=x&sig=canary&se=1",
    "grant_type=refresh_token&refresh_token=canary&client_id=1",
    "refresh_token = canary",
    "client_secret=canary&x=1",
    "client_secret%3Dcanary",
    "REDIS_PASSWORD=canary",
    "host:6380,password=canary,ssl=True",
    "Server=db;User Id=sa;Password='canary with blanks';",
    "Server=db;Pwd=canary",
    '{"client_secret":"canary","a":1}',
    '{"access_token": "canary"}',
    "{'password': 'canary'}",
    'cut off: clientState":"canary"',
    'quoted {\\"refresh_token\\":\\"canary\\"} again',
    '{"body":"canary"}',
    "password: canary",
    "Authorization: Bearer canary.abc",
    "Authorization: Basic canary1=",
    "Basic canary1=",
    "Cookie: a=canary; b=canary",
    "api-key: canary",
    "Ocp-Apim-Subscription-Key: canary",
    "https://a.example/x?sv=1&sig=canary%3D&se=2",
    "https://b.example/x?X-Amz-Signature=canary&X-Amz-Credential=canary",
    "https://c.example/o?GoogleAccessId=x&Signature=canary",
    "https://d.example/up?guid=1&tempauth=canary",
    "https://e.example/api?key=canary",
    "https://f.example/back?code=canary&state=x",
    "validationToken=canary",
    "eyJhbGciOiJSUzI1NiJ9.canary.canary",
    "sk-canarycanarycanary",
    "-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\ncanary, cut off",
  ])("does not show the secret in %s [SEC-07] [S65]", (text) => {
    expect(redactText(`before ${text} after`)).not.toContain("canary");
    expect(redactText(text)).toContain("[hidden]");
  });

  it.each([
    "nothing to hide",
    "GET http://127.0.0.1:4010/users/ann@firm.example/messages: 404",
    "the token is expired",
    "AADSTS7000215: Invalid client secret provided",
    "Key (id)=(5) already exists",
    "exit code=1",
    "errorCode=graph.denied",
    "Basic authentication is off",
  ])("keeps what is no secret: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("stays around the secret as it was", () => {
    expect(redactText("Authorization: Bearer abc.def")).toBe("Authorization: Bearer [hidden]");
    expect(redactText("SharedAccessKey=abc;x")).toBe("SharedAccessKey=[hidden];x");
    expect(redactText("redis://u:pw@h:1/2")).toBe("redis://u:[hidden]@h:1/2");
    expect(redactText('{"token":"x","a":1}')).toBe('{"token":"[hidden]","a":1}');
  });

  it("is searched in steps that grow with its length only, whatever it repeats", () => {
    const pieces = [
      "a",
      "a.",
      "a-",
      '"',
      "token",
      "token=",
      '"token":"',
      "eyJ-",
      "https://",
      "x:@",
      "Basic ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), (some) => {
        // A search that looks back for every character would take hours for this.
        expect(redactText(some.join("").repeat(50_000))).toBeDefined();
      }),
      { numRuns: 30 },
    );
  });
});
