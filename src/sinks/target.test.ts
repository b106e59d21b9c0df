import type { lookup } from "node:dns";
import { expect, it } from "vitest";
import { isPrivateAddress, publicLookup } from "./target.ts";

it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "192.168.1.1", "172.31.0.1", "100.64.0.1"])(
  "%s is private, also in the forms of IPv6",
  (address) => {
    expect(isPrivateAddress(address)).toBe(true);
    expect(isPrivateAddress(`::ffff:${address}`)).toBe(true);
    expect(isPrivateAddress("::ffff:7f00:1")).toBe(true);
  },
);

it.each(["93.184.215.14", "172.32.0.1", "2606:2800:220:1::1"])("%s is public", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

/** Answers as a name server would. */
const resolving = (...addresses: string[]) =>
  ((_: string, __: object, found: (error: null, all: object[]) => void) =>
    found(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )) as unknown as typeof lookup;

function ask(host: string, addresses: string[], privateHosts: string[] = []) {
  return new Promise((done) =>
    publicLookup(privateHosts, resolving(...addresses))(host, {}, (error, address) =>
      done(error === null ? address : error.message),
    ),
  );
}

it("a name is refused if any of its addresses is private, unless the settings allow the name", async () => {
  expect(await ask("a.example", ["93.184.215.14"])).toBe("93.184.215.14");
  expect(await ask("a.example", ["93.184.215.14", "10.0.0.1"])).toContain("not a public address");
  expect(await ask("a.example", ["10.0.0.1"], ["a.example"])).toBe("10.0.0.1");
});
