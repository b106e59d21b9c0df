import { testConvergence } from "./convergence.suite.ts";

testConvergence((index) => 2 * index - 1);
