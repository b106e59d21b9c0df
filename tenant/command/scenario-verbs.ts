import { dirname } from "node:path";
import type { Command } from "commander";
import {
  type CommonOptions,
  connect,
  print,
  readGivenFile,
  verb,
  withCommonOptions,
} from "./connection.ts";

/** `scenario run FILE`. */
export function addScenarioVerbs(tenant: Command): void {
  const scenario = tenant.command("scenario").description("run a list of steps");
  withCommonOptions(scenario.command("run"))
    .description(
      "run a YAML file step by step; stops with exit code 1 at the first step that fails",
    )
    .argument("<file>", "YAML file; postroom tenant --help lists the steps")
    .addHelpText("after", "\nExample:\n  postroom tenant scenario run storm.yaml")
    .action(
      verb(async (file: string, options: CommonOptions) => {
        const { runScenario } = await import("../scenario.ts");
        await runScenario(connect(options), readGivenFile(file).toString("utf8"), {
          folder: dirname(file),
          onStep: (step) =>
            print(
              options,
              step,
              `${step.number}. ${step.what}${step.result ? `  ${step.result}` : ""}`,
            ),
        });
      }),
    );
}
