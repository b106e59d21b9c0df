import { useServiceBusEngine } from "./contract/places.ts";
import { testEngine } from "./engine-contract.suite.ts";

testEngine(useServiceBusEngine());
