import { endQuietlyWhenNobodyReads, runCli } from "./cli/main.ts";

endQuietlyWhenNobodyReads(process.argv);
process.exitCode = await runCli(process.argv);
