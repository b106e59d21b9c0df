import { runCli } from "./cli/main.ts";

await runCli(process.argv);
