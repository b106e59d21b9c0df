/** A server or worker as a separate process; its roles are the arguments. */
import { type ProcessRole, startApp } from "../../src/app.ts";
import { beginWatching } from "../../src/cli/server/serve.ts";
import { loadConfig, processEnvironment } from "../../src/config.ts";

const roles = process.argv.slice(2) as ProcessRole[];
const app = await startApp(loadConfig(processEnvironment()), { roles });
if (roles.includes("worker")) beginWatching(app);
