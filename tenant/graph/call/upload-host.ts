/** Uploads go to another host than Graph, so a client that sends its token everywhere is noticed. */
export function otherHost(origin: string): string {
  if (origin.includes("//127.0.0.1")) return origin.replace("//127.0.0.1", "//localhost");
  return origin.replace("//localhost", "//127.0.0.1");
}
