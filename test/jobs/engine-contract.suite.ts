/** What every engine must do. An engine that passes is an engine. */
import { testCarrying } from "./contract/carrying.suite.ts";
import { testFailing } from "./contract/failing.suite.ts";
import { testLeases } from "./contract/leases.suite.ts";
import { testPoison } from "./contract/poison.suite.ts";
import { testReplay } from "./contract/replay.suite.ts";
import { testRunning } from "./contract/running.suite.ts";
import type { EngineUnderTest } from "./contract/workshop.ts";

export function testEngine(under: EngineUnderTest): void {
  testCarrying(under);
  testRunning(under);
  testFailing(under);
  testPoison(under);
  testLeases(under);
  testReplay(under);
}
