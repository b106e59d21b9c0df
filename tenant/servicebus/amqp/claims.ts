import { createHmac, timingSafeEqual } from "node:crypto";
import type { TenantContext } from "../../context.ts";
import type { ManagementAnswer, ManagementRequest } from "./management-message.ts";

/** Who may use which entity: by shared-access signatures of the one key, or by Entra tokens. */
export interface Claims {
  readonly keyName: string;
  readonly key: string;
  isKey(name: string, key: string): boolean;
  /** Checks the Authorization header of a management request over HTTP. */
  mayManage(authorization: string | undefined): Promise<boolean>;
  /** Handles a put-token request; what it grants is added to `granted`. */
  put(granted: Set<string>, request: ManagementRequest): Promise<ManagementAnswer>;
  covers(granted: ReadonlySet<string>, path: string): boolean;
}

/** Service Bus and Event Hubs; the SDK of each requests its own token. */
const AUDIENCES = ["https://servicebus.azure.net", "https://eventhubs.azure.net"];

export function createClaims(context: TenantContext): Claims {
  const keyName = "RootManageSharedAccessKey";
  const key = context.random.fork("servicebus-key").bytes(32).toString("base64");

  const isGenuine = (token: string): boolean => {
    const { sr, se, sig, skn } = readFields(token.replace(/^SharedAccessSignature /, ""));
    if (!sr || !se || !sig || skn !== keyName) return false;
    // The resource is signed as it was sent, still encoded.
    const expected = createHmac("sha256", key).update(`${sr}\n${se}`).digest();
    const actual = Buffer.from(decodeBase64(sig), "base64");
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false;
    // Clients sign with the machine's time, which may differ from a virtual clock.
    return context.clock.isVirtual || Number(se) * 1000 > context.clock.now();
  };

  const isOurs = async (authorization: string): Promise<boolean> => {
    for (const audience of AUDIENCES) {
      if ((await context.authenticate(authorization, audience)) !== null) return true;
    }
    return false;
  };

  return {
    keyName,
    key,
    async mayManage(authorization) {
      if (authorization === undefined) return false;
      if (authorization.startsWith("SharedAccessSignature ")) return isGenuine(authorization);
      return isOurs(authorization);
    },
    isKey: (name, given) => name === keyName && given === key,
    async put(granted, request) {
      const { operation, type, name } = request.application_properties ?? {};
      if (operation !== "put-token") return { status: 400, description: "put-token is expected" };
      const token = String(request.body ?? "");
      const isAccepted = type === "jwt" ? await isOurs(`Bearer ${token}`) : isGenuine(token);
      if (!isAccepted) {
        return {
          status: 401,
          description: "InvalidSignature: The token has an invalid signature.",
          condition: "amqp:unauthorized-access",
        };
      }
      granted.add(pathOf(String(name)));
      return { status: 202, description: "Accepted" };
    },
    covers(granted, path) {
      const wanted = path.toLowerCase();
      for (const prefix of granted) {
        if (prefix === "" || wanted === prefix || wanted.startsWith(`${prefix}/`)) return true;
      }
      return false;
    },
  };
}

/** `sb://host:port/a/b` refers to the entity `a/b`. */
function pathOf(audience: string): string {
  return audience
    .replace(/^[a-z]+:\/\/[^/]*\/?/i, "")
    .replace(/\/\$management$/i, "")
    .toLowerCase();
}

function readFields(token: string): Record<string, string | undefined> {
  return Object.fromEntries(
    token.split("&").map((field) => {
      const at = field.indexOf("=");
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
}

/** Base64 has three characters that a URL encodes; an unescaped percent sign must not cause an error. */
function decodeBase64(text: string): string {
  return text.replace(/%2B/gi, "+").replace(/%2F/gi, "/").replace(/%3D/gi, "=");
}
