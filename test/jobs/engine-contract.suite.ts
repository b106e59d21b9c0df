/** What every engine must do. An engine that passes is an engine. */
import { testCarrying } from "./contract/carrying.ts";
import { testFailing } from "./contract/failing.ts";
import { testLeases } from "./contract/leases.ts";
import { testPoison } from "./contract/poison.ts";
import { testReplay } from "./contract/replay.ts";
import { testRunning } from "./contract/running.ts";
import type { EngineUnderTest } from "./contract/workshop.ts";

export function testEngine(under: EngineUnderTest): void {
  testCarrying(under);
  testRunning(under);
  testFailing(under);
  testPoison(under);
  testLeases(under);
  testReplay(under);
}
