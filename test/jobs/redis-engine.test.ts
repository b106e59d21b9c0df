import { useRedisEngine } from "./contract/places.ts";
import { testEngine } from "./engine-contract.suite.ts";

testEngine(useRedisEngine());
