import { type Output, plain } from "../base/output.ts";

export function showSteps(
  steps: readonly { readonly step: string; readonly result: string }[],
  output: Output,
): void {
  output.table(
    ["step", "{result}"],
    steps.map(({ step, result }) => [plain(step), result]),
  );
}
