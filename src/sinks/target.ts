/**
 * Which addresses a sink may call. An operator names them, but a name can point anywhere by the time it is called: to
 * this machine, to a neighbour without a password, to the address where a cloud hands out credentials.
 */
import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";
import { isLoopbackHost } from "../lib/loopback.ts";

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv6");

export function isPrivateAddress(address: string): boolean {
  const [, mapped = address] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const family = isIP(mapped);
  if (family === 0) return true;
  // The other spelling of an IPv4 address in IPv6.
  if (family === 6 && /^(?:0{0,4}:){0,5}:?ffff:/i.test(mapped)) return true;
  return PRIVATE.check(mapped, family === 4 ? "ipv4" : "ipv6");
}

/** Why a sink may not send there; null if it may. */
export function whyNotTarget(url: string, privateHosts: readonly string[]): string | null {
  if (!URL.canParse(url)) return "this is not a URL";
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (username !== "" || password !== "") return "the URL must not contain a user or a password";
  if (hash !== "") return "the URL must not contain a fragment";
  if (isLoopbackHost(hostname) && (protocol === "http:" || protocol === "https:")) return null;
  if (protocol !== "https:") return "the URL must be https (http only for loopback)";
  if (privateHosts.includes(hostname)) return null;
  const literal = hostname.replace(/^\[|\]$/g, "");
  return isIP(literal) !== 0 && isPrivateAddress(literal) ? `${hostname} ${NOT_PUBLIC}` : null;
}

const NOT_PUBLIC =
  "is not a public address; SINK_PRIVATE_HOSTS lists the private ones that are allowed";

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves names for the connection itself, so that no other answer can be used than the one that was checked. */
export function publicLookup(privateHosts: readonly string[], resolve: typeof lookup = lookup) {
  return (host: string, options: LookupOptions, found: Found): void => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, []);
      const isAllowed = isLoopbackHost(host) || privateHosts.includes(host);
      const bad = isAllowed ? undefined : addresses.find((each) => isPrivateAddress(each.address));
      if (bad !== undefined) return found(new Error(`${host} ${NOT_PUBLIC}`), []);
      if (options.all === true) return found(null, addresses);
      found(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
