import { usePostgresEngine } from "./contract/places.ts";
import { testKills } from "./kills.suite.ts";

testKills(usePostgresEngine());
