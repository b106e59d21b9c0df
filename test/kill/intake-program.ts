/** The intake as a separate program: everything except the command line around it. */
import { startApp } from "../../src/app.ts";
import { loadConfig, processEnvironment } from "../../src/config.ts";

await startApp(loadConfig(processEnvironment()), { roles: ["intake"] });
