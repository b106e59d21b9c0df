import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { createOutput, type Output, plain } from "../base/output.ts";

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function eraseCommand(output: Output = createOutput()): Command {
  return new Command("erase")
    .description("erase what Postroom knows about a person, and report what was kept and why")
    .argument("<address>", "the person's address")
    .option("--dry-run", "report what would happen without erasing")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom erase omar@ashdown.example --dry-run")
    .action((address: string, options: Options) =>
      withApi(async (api) => {
        const { dryRun = false } = options;
        const report = await answerOf(
          api.client.POST("/api/erasures", { body: { address, dryRun } }),
        );
        if (options.json) return output.json(report);
        output.line(`${plain(report.person)}: ${outcomeOf(report, dryRun)}`);
        for (const { place, count } of report.erased) output.line(`  ${place}: ${count}`);
        for (const { place, count } of report.redacted)
          output.line(`  ${place}, redacted: ${count}`);
        for (const { place, item, reason } of report.kept)
          output.line(`  kept: ${place} ${plain(item)} (${plain(reason)})`);
        for (const { place, count } of report.remains)
          output.line(`  the address still occurs in ${place}: ${count}`);
      }),
    );
}

function outcomeOf(
  { erased, redacted }: { erased: readonly unknown[]; redacted: readonly unknown[] },
  isDryRun: boolean,
): string {
  const isNothing = erased.length + redacted.length === 0;
  if (isDryRun) return isNothing ? "nothing would be erased" : "would be erased";
  return isNothing ? "nothing was erased" : "erased";
}
