import { Command } from "commander";
import pc from "picocolors";
import { withApi } from "./base/client.ts";
import { createOutput, type Output, plain } from "./base/output.ts";

interface TraceView {
  readonly deliveries: readonly { readonly mailbox: string; readonly messageId: string }[];
  readonly steps: readonly {
    readonly at: string;
    readonly kind: string;
    readonly what: string;
    readonly mailbox: string | null;
    readonly facts: Record<string, unknown>;
  }[];
}

export function traceCommand(output: Output = createOutput()): Command {
  return new Command("trace")
    .description("the way of one message, trade or file through everything")
    .argument(
      "<id>",
      "Graph id or Message-ID of a message; id or key of a trade; id of a document; SHA-256 of a file",
    )
    .option("--json", "print the whole trace as one JSON object")
    .action((id: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const trace = await api.get<TraceView>(`/api/trace/${encodeURIComponent(id)}`);
        if (options.json) return output.json(trace);
        const mailboxes = trace.deliveries.map((delivery) => plain(delivery.mailbox)).join(", ");
        output.line(pc.bold(mailboxes === "" ? "came without mail" : `delivered to ${mailboxes}`));
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

/** Lists one after the other, objects as JSON, everything else as it is. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(wordsOf).join("; ")}]`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
