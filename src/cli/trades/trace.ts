import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { createOutput, type Output, plain } from "../base/output.ts";

export function traceCommand(output: Output = createOutput()): Command {
  return new Command("trace")
    .description("show every step that a message, trade or file went through")
    .argument(
      "<id>",
      "Graph ID or Message-ID of a message, ID or key of a trade, ID of a document, or SHA-256 of a file",
    )
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const trace = await answerOf(
          api.client.GET("/api/trace/{id}", { params: { path: { id } } }),
        );
        if (options.json) return output.json(trace);
        const mailboxes = trace.deliveries.map((delivery) => plain(delivery.mailbox)).join(", ");
        output.line(
          pc.bold(mailboxes === "" ? "not delivered by mail" : `delivered to ${mailboxes}`),
        );
        const first = trace.steps[0] === undefined ? 0 : Date.parse(trace.steps[0].at);
        for (const step of trace.steps) {
          const seconds = ((Date.parse(step.at) - first) / 1_000).toFixed(3).padStart(9);
          const facts = Object.entries(step.facts)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => `${name}=${plain(wordsOf(value))}`)
            .join(" ");
          output.line(
            `${pc.dim(`+${seconds} s`)}  ${step.kind.padEnd(13)} ${plain(step.what).padEnd(26)} ${pc.dim(facts)}`,
          );
        }
      }),
    );
}

/** Formats lists item by item, objects as JSON, and everything else unchanged. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(wordsOf).join("; ")}]`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
