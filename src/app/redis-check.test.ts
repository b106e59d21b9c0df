import { expect, it } from "vitest";
import { aLog } from "../../test/helpers/app.ts";
import { startRedis } from "../../test/helpers/redis.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { Secret } from "../lib/redact.ts";
import { redisChecks } from "./redis-check.ts";

const checksWith = (redisUrl: Secret | null) =>
  redisChecks({ config: { redisUrl } as Config, clock: systemClock, log: aLog().log });

it("the doctor notices whether Redis answers, and asks only where one is set", async () => {
  expect(checksWith(null)).toEqual([]);
  const redis = await startRedis();
  const [check] = checksWith(new Secret(redis.url));
  expect(check!.name).toBe("Redis");
  expect(await check!.check()).toMatchObject({ status: "ok" });
  await redis.stop();
  expect(await check!.check()).toMatchObject({
    status: "failed",
    fix: expect.stringContaining("Redis__ConnectionString"),
  });
});
