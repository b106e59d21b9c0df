import { useRedisEngine } from "./contract/places.ts";
import { testKills } from "./kills.suite.ts";

testKills(useRedisEngine());
