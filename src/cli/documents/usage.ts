import { Command } from "commander";
import type { Usage } from "../../analysis/usage-table.ts";
import { withApi } from "../base/client.ts";
import { createOutput, type Output, plain } from "../base/output.ts";
import { toCount } from "../base/values.ts";

export function usageCommand(output: Output = createOutput()): Command {
  return new Command("usage")
    .description("show how much each person has used the model, by day")
    .option("--days <n>", "number of days, including today", toCount(90), 7)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom usage --days 30")
    .action((options: { days: number; json?: boolean }) =>
      withApi(async (api) => {
        const answer = await api.get<{ usage: Usage[] }>("/api/ai/usage", { days: options.days });
        if (options.json) return output.json(answer);
        if (answer.usage.length === 0) return output.note("the model was not used in these days");
        output.table(
          ["day", "person", "[model]", "calls", "failed", "tokens in", "tokens out"],
          answer.usage.map((each) => [
            each.day,
            plain(each.personId),
            plain(each.model),
            String(each.calls),
            String(each.failedCalls),
            String(each.promptTokens),
            String(each.completionTokens),
          ]),
        );
      }),
    );
}
