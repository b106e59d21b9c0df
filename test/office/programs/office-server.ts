/** A server that runs until it is killed; its roles are the arguments. */
import { type ProcessRole, startApp } from "../../../src/app.ts";
import { loadConfig, processEnvironment } from "../../../src/config.ts";

const roles = process.argv.slice(2) as ProcessRole[];
const app = await startApp(loadConfig(processEnvironment()), { roles });
process.stdout.write(`${app.url}\n`);
