import { expect, it } from "vitest";
import { startRedis } from "../../test/helpers/redis.ts";
import { createManualClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { openOptionalRedis } from "./optional-redis.ts";

it("after a failure Redis is not used for a while, the log says so once a minute, and then Redis is used again", async () => {
  const server = await startRedis();
  const clock = createManualClock(0);
  const lines: string[] = [];
  const log = createLog({ level: "warn", to: { write: (line) => void lines.push(line) } });
  const options = { commandMs: 10_000, restMs: 30_000, complaint: "we do without it" };
  const { attempt, close } = openOptionalRedis({ address: server.url, clock, log }, options);
  const fail = () => attempt((redis) => redis.hget("text", "field"));

  expect(await attempt((redis) => redis.set("text", "x"))).toBe("OK");
  expect(await fail()).toBeNull();
  let isAsked = false;
  expect(await attempt(async () => (isAsked = true))).toBeNull();
  expect(isAsked).toBe(false);

  clock.advance(30_000);
  expect(await attempt((redis) => redis.get("text"))).toBe("x");
  expect(await fail()).toBeNull();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("we do without it");
  clock.advance(30_000);
  expect(await fail()).toBeNull();
  expect(lines).toHaveLength(2);
  await close();
  await server.stop();
});
