/** Examples for the commands that do not bring their own. */
import type { Command } from "commander";

const EXAMPLES: Readonly<Record<string, string>> = {
  "": "postroom up\n  postroom open review",
  up: "postroom up --quiet",
  deploy: "postroom deploy chart ./chart",
  events: "postroom events list --type arrived",
  mailbox: "postroom mailbox add operations@ashdown.example --ingest Inbox",
  "mailbox list": "postroom mailbox list",
  "mailbox connect": "postroom mailbox connect nina.berg@ashdown.example",
  "mailbox verify": "postroom mailbox verify operations@ashdown.example",
  "mailbox pause": "postroom mailbox pause operations@ashdown.example",
  "mailbox resume": "postroom mailbox resume operations@ashdown.example",
  "mailbox resync": "postroom mailbox resync operations@ashdown.example",
  "mailbox folders": "postroom mailbox folders operations@ashdown.example",
  "mailbox exclude": "postroom mailbox exclude operations@ashdown.example Clutter",
  "mailbox include": "postroom mailbox include operations@ashdown.example Clutter",
  "mailbox remove": "postroom mailbox remove operations@ashdown.example",
  sub: "postroom sub list",
  "sub list": "postroom sub list",
  "sub ensure": "postroom sub ensure",
  "sub rotate": "postroom sub rotate",
  "sub orphans": "postroom sub orphans",
  trace: "postroom trace AAkALgAAc0bjbgmiVowAAAAAAA0AAFGT=",
  documents: "postroom documents file README.md",
  trades: "postroom trades list",
  review: "postroom review next",
  "review next": "postroom review next",
  "review show": "postroom review show 7",
  "review assign": "postroom review assign 7 nina.berg",
  orders: "postroom orders import orders.csv --dry-run",
  "orders cancel": "postroom orders cancel ORD-1042",
  senders: "postroom senders approve @broker.example",
  "senders list": "postroom senders list",
  people: "postroom people list",
  "people list": "postroom people list",
  ingest: "postroom ingest status",
  "ingest status": "postroom ingest status",
  "ingest mails": "postroom ingest mails",
  "ingest guard": "postroom ingest guard status",
  "ingest guard status": "postroom ingest guard status",
  "ingest guard install": "postroom ingest guard install",
  "ingest guard remove": "postroom ingest guard remove",
  evidence: "postroom evidence verify ./evidence",
  jobs: "postroom jobs list --state Running",
  dlq: "postroom dlq causes",
  sinks: "postroom sinks list",
  hold: "postroom hold list",
  "sinks list": "postroom sinks list",
  "tenant fault": "postroom tenant fault arm throttle --where part=graph --times 5",
  "tenant clock": "postroom tenant clock advance 3d",
  "tenant snapshot": "postroom tenant snapshot save before.json",
  "tenant scenario": "postroom tenant scenario run storm.yaml",
};

export function addExamples(command: Command, path: readonly string[] = []): void {
  const example = EXAMPLES[path.join(" ")];
  const title = example?.includes("\n") ? "Examples" : "Example";
  if (example !== undefined) command.addHelpText("after", `\n${title}:\n  ${example}`);
  for (const child of command.commands) addExamples(child, [...path, child.name()]);
}
