import { Fault } from "./fault.ts";

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: object;
}

/** Reads `redis://user:password@host:port/db` and `host:port,password=…,ssl=True,defaultDatabase=0`. */
export function parseRedisAddress(text: string): RedisAddress {
  const address = /^rediss?:\/\//.test(text) ? fromUrl(text) : fromList(text);
  if (address !== null) return address;
  throw new Fault(
    "settings.bad",
    "Redis__ConnectionString is neither a redis:// URL nor host:port,…",
  );
}

function fromUrl(text: string): RedisAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const databaseNumber = url.pathname.slice(1);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 6379),
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(databaseNumber === "" ? {} : { db: Number(databaseNumber) }),
    ...(url.protocol === "rediss:" ? { tls: {} } : {}),
  };
}

function fromList(text: string): RedisAddress | null {
  const [server = "", ...rest] = text.split(",").map((part) => part.trim());
  const match = /^([\w.-]+)(?::(\d+))?$/.exec(server);
  if (match === null) return null;
  const settings = new Map(
    rest.map((part) => {
      // A password may itself contain an equals sign.
      const at = part.indexOf("=");
      return [part.slice(0, at).toLowerCase(), part.slice(at + 1)] as const;
    }),
  );
  const isTls = settings.get("ssl")?.toLowerCase() === "true";
  const [user, password] = [settings.get("user"), settings.get("password")];
  const databaseNumber = settings.get("defaultdatabase");
  return {
    host: match[1]!,
    port: Number(match[2] ?? (isTls ? 6380 : 6379)),
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(databaseNumber === undefined ? {} : { db: Number(databaseNumber) }),
    ...(isTls ? { tls: {} } : {}),
  };
}
