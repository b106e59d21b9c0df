import { createHttp } from "../../lib/http.ts";

/** The addresses to which Entra may send a browser back, by the place of the app in the sample company. */
const PATHS = [
  [0, "/mailbox-connected"],
  [2, "/signed-in"],
] as const;

/** The sample registrations name the usual port only; people also sign in when the server listens on another one. */
export async function registerRedirects(
  tenant: { readonly admin: string; readonly apps: readonly { readonly appId: string }[] },
  port: number,
): Promise<void> {
  const http = createHttp({ allowedOrigins: [tenant.admin], unavailable: "identity.unavailable" });
  try {
    for (const [place, path] of PATHS)
      await http({
        method: "PATCH",
        url: `${tenant.admin}/apps/${tenant.apps[place]!.appId}`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          redirectUris: ["localhost", "127.0.0.1"].map((host) => `http://${host}:${port}${path}`),
        }),
      });
  } finally {
    await http.close();
  }
}
