import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output, plain } from "../base/output.ts";

interface CheckView {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly fix?: string;
}

const MARKS = { ok: pc.green("ok     "), warning: pc.yellow("warning"), failed: pc.red("failed ") };

export function doctorCommand(output: Output = createOutput()): Command {
  return new Command("doctor")
    .description(
      "check permissions, reachability, clocks, secrets and the subscription lifetimes that Graph grants",
    )
    .option("--fix-hints", "for each finding, show what to type or click")
    .option("--outside <address>", "also verify that the app cannot read this mailbox")
    .option("--json", "print one JSON object per line, one for each check")
    .addHelpText(
      "after",
      "\nExits with 1 if a check fails.\n\nExample:\n  postroom doctor --fix-hints --outside ceo@ashdown.example",
    )
    .action((options: { fixHints?: boolean; outside?: string; json?: boolean }) =>
      withApi(async (api) => {
        const checks = await answerOf(
          api.client.GET("/api/doctor", { params: { query: { outside: options.outside } } }),
        );
        for (const check of checks) {
          if (options.json) output.json(check);
          else print(check, options.fixHints ?? false, output);
        }
        const failed = checks.filter((check) => check.status === "failed").length;
        if (failed > 0)
          throw new CommandError(
            `${failed} of ${checks.length} checks failed${options.fixHints ? "" : "; use --fix-hints to see what to do"}`,
            EXIT.failed,
          );
      }),
    );
}

function print(check: CheckView, withFix: boolean, output: Output): void {
  output.line(`${MARKS[check.status]} ${plain(check.name)}: ${plain(check.detail)}`);
  if (withFix && check.fix !== undefined) output.line(`        ${pc.dim(plain(check.fix))}`);
}
