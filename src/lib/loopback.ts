import { isIP } from "node:net";

/** Literally this machine, as a URL writes it. A name that only resolves to it, such as 127.evil.example, is not. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname === "[::1]" ||
  (isIP(hostname) === 4 && hostname.startsWith("127."));
