import { Command, Option } from "commander";
import { verb, wrongUsage } from "./command/connection.ts";
import { addControlVerbs } from "./command/control-verbs.ts";
import { FAULT_KINDS } from "./command/fault-kinds.ts";
import { addMailVerbs } from "./command/mail-verbs.ts";
import type { RunOptions } from "./command/run.ts";
import { addScenarioVerbs } from "./command/scenario-verbs.ts";
import { addSubscriptionVerbs } from "./command/subscription-verbs.ts";

const HELP = `
Examples:
  postroom tenant --port 4010 --json            run one; prints a single line when it is ready
  postroom tenant --virtual-clock --seed 7      time stands still until it is advanced
  postroom tenant send --to operations@ashdown.example --subject "Trade 17" --attach note.pdf
  postroom tenant fault arm throttle --where part=graph --times 5 --option retryAfterSeconds=2
  postroom tenant clock advance 3d
  postroom tenant scenario run storm.yaml
  postroom tenant journal --kind notification --follow

A scenario is a YAML list of steps; each step has one key:
  - send: { to: operations@ashdown.example, subject: Hello, attach: [note.pdf] }
  - move: { mailbox: operations@ashdown.example, message: latest, folder: archive }
  - read | delete | flag | categorize: { mailbox: …, message: latest }
  - fault: { kind: server-error, where: { part: graph }, times: 3, options: { status: 503 } }
  - clear: all                                  disarm every fault
  - unsubscribe: all                            subscriptions vanish; { id: all, notify: false } silently
  - lifecycle: { id: all, event: missed }
  - switch: { tokenLifetimeSeconds: 300 }
  - advance: 45m                                move a virtual clock
  - wait: { kind: notification.sent, count: 1, within: 30s }
  - expect: { kind: message.created, where: { subject: Hello }, count: 1 }     or atLeast: 1
  - repeat: { times: 10, steps: [ … ] }

Faults (kind, where, probability, times, options):
${FAULT_KINDS}
`;

/** `postroom tenant`: runs a tenant, and controls a running one. */
export function tenantCommand(): Command {
  const command = new Command("tenant")
    .description("run a Microsoft tenant on this machine, or control a running one")
    .option("--port <number>", "port on 127.0.0.1 (0: any free one)", "0")
    .option("--json", "print one JSON line with every address when ready")
    .option("--tls", "serve https with a certificate from a local authority")
    .option("--seed <text>", "makes IDs and faults repeatable (default: postroom)")
    .option(
      "--virtual-clock [time]",
      "start at this ISO time and stand still until the clock is advanced",
    )
    .option("--state <file>", "keep the state in this file between runs")
    .addOption(
      new Option("--company <what>", "what the mailboxes contain at the start")
        .choices(["small", "none"])
        .default("small"),
    )
    .option("--library <number>", "file this many sample documents at the start", "0")
    .option(
      "--drip <time>",
      "deliver a sample message, usually a contract note, this often, such as 20s",
    )
    .addHelpText("after", HELP)
    // An unknown command counts as an argument, because this command also works without one.
    .allowExcessArguments()
    .hook("preAction", (tenant, { args }) => {
      if (tenant.args.length > 0 && tenant.args === args)
        throw wrongUsage(
          `unknown command '${args[0]}'\n(postroom tenant --help lists what it takes)`,
        );
    })
    .action(
      verb(async (options: RunOptions) => (await import("./command/run.ts")).runTenant(options)),
    );
  addMailVerbs(command);
  addSubscriptionVerbs(command);
  addControlVerbs(command);
  addScenarioVerbs(command);
  return command;
}
