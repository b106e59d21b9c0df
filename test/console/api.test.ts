/** How the console calls the server, as far as no browser is needed. */
import { expect, it, vi } from "vitest";

// The page listens for the network; there is none to listen to here.
vi.stubGlobal("addEventListener", () => {});
// Not a plain import: the types of the browser are not among those of the tests.
const { request, setKeyring } = (await import("../../console/src/data/api.ts" as string)) as {
  request(method: string, url: string): Promise<unknown>;
  setKeyring(keyring: { token(): Promise<string | null>; refused(): void }): void;
};

it("a sign-in that cannot renew the token now is a passing failure, which is tried again", async () => {
  setKeyring({
    token: () => Promise.reject(new Error("post_request_failed")),
    refused: () => {},
  });
  await expect(request("GET", "/api/me")).rejects.toMatchObject({
    status: 0,
    detail: "The sign-in does not answer.",
  });
});
