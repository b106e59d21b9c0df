import { Command } from "commander";
import { loadConfigAndVault, processEnvironment } from "../../config.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import { redactText } from "../../lib/redact.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output } from "../base/output.ts";

export function notifyCommand(output: Output = createOutput()): Command {
  const notify = new Command("notify").description("test the channels for alerts and questions");
  notify
    .command("test")
    .description("send a test message to every channel in the NOTIFY_ settings")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExits with 1 if a channel fails.\n\nExample:\n  NOTIFY_SLACK_URL=… postroom notify test",
    )
    .action((options: { json?: boolean }) => testChannels(options, output));
  return notify;
}

async function testChannels(options: { json?: boolean }, output: Output): Promise<void> {
  const config = await loadConfigAndVault(processEnvironment());
  if (config.notify === null)
    throw new CommandError(
      "no channel is set up: set NOTIFY_MAIL_TO and NOTIFY_MAIL_FROM, NOTIFY_TEAMS_URL or NOTIFY_SLACK_URL",
      EXIT.usage,
    );
  const { openAlertChannels } = await import("../../app/alerts.ts");
  const { createConnections } = await import("../../mailbox/connections.ts");
  // Without a database: no refresh token is needed to send as the app.
  const database = { query: () => Promise.reject(new Error("there is no database here")) };
  const needs = { clock: systemClock, random: systemRandom, database };
  const connections = createConnections(config.connections, needs);
  const channels = openAlertChannels(config, connections);
  const results: { channel: string; problem: string | null }[] = [];
  for (const channel of channels) {
    const problem = await channel
      .send("Postroom", ["This is a test. Alerts and questions arrive here."])
      .then(() => null)
      .catch((error: Error) => redactText(error.message));
    results.push({ channel: channel.name, problem });
    await channel.close();
  }
  await connections.close();
  if (options.json) output.json({ channels: results });
  else for (const { channel, problem } of results) output.line(`${channel}: ${problem ?? "sent"}`);
  if (results.some(({ problem }) => problem !== null))
    throw new CommandError("at least one channel did not accept the test message", EXIT.failed);
}
