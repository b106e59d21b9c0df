import { isLoopbackHost } from "../lib/loopback.ts";

/** The URL of a session comes from a response, so its host is checked like that of any other link. */
export function mayUploadTo(
  url: URL,
  settings: {
    readonly graphOrigin: string;
    /** Suffixes of the host names that Graph may use for upload sessions. */
    readonly uploadHosts: readonly string[];
  },
): boolean {
  const graph = new URL(settings.graphOrigin);
  if (isLoopbackHost(graph.hostname))
    return isLoopbackHost(url.hostname) && url.port === graph.port;
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    settings.uploadHosts.some((ending) => url.hostname.endsWith(ending))
  );
}
