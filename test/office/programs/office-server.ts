/** A server that takes saves and works them off until it is killed. */
import { startApp } from "../../../src/app.ts";
import { loadConfig, processEnvironment } from "../../../src/config.ts";

const app = await startApp(loadConfig(processEnvironment()), { roles: ["api", "worker"] });
process.stdout.write(`${app.url}\n`);
