/** The server's door as a program of its own: everything but the command line around it. */
import { startApp } from "../../src/app.ts";
import { loadConfig, processEnvironment } from "../../src/config.ts";

await startApp(loadConfig(processEnvironment()), { roles: ["intake"] });
