import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { runScenario } from "../scenario.ts";
import { type CommonOptions, connect, print, verb, withCommonOptions } from "./connection.ts";

/** `scenario run FILE`. */
export function addScenarioVerbs(tenant: Command): void {
  const scenario = tenant.command("scenario").description("play a list of steps");
  withCommonOptions(scenario.command("run"))
    .description(
      "play a YAML file step by step; the first step that fails ends it with exit code 1",
    )
    .argument("<file>", "YAML file, see postroom tenant --help for the steps")
    .addHelpText("after", "\nExample:\n  postroom tenant scenario run storm.yaml")
    .action(
      verb(async (file: string, options: CommonOptions) => {
        await runScenario(connect(options), readFileSync(file, "utf8"), {
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
