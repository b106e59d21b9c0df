import { Command } from "commander";
import type { App, Role } from "../app.ts";
import { loadConfig, processEnvironment } from "../config.ts";
import { CommandError, EXIT } from "./base/exit.ts";

// Spelled out here so that the help of every other verb need not load the whole app.
const ALL_ROLES: readonly Role[] = ["intake", "api", "worker"];

export function serveCommand(): Command {
  return new Command("serve")
    .description("run against the tenant of the settings")
    .option("--role <roles>", "intake, api, worker; several with commas", ALL_ROLES.join(","))
    .addHelpText(
      "after",
      "\nExample:\n  GRAPH_TENANT_ID=… GRAPH_CLIENT_ID=… GRAPH_CLIENT_SECRET=file:/run/secret postroom serve --role worker",
    )
    .action(async (options: { role: string }) => {
      const config = loadConfig(processEnvironment());
      const { startApp } = await import("../app.ts");
      const app = await startApp(config, { roles: toRoles(options.role) });
      process.stderr.write(`postroom listens at ${app.url}\n`);
      if (config.graph !== null) beginWatching(app);
      await untilStopped(app.stop);
    });
}

function toRoles(text: string): Role[] {
  const roles = text.split(",").map((role) => role.trim());
  const wrong = roles.filter((role) => !(ALL_ROLES as readonly string[]).includes(role));
  if (wrong.length > 0)
    throw new CommandError(
      `no such role: ${wrong.join(", ")} (there are ${ALL_ROLES.join(", ")})`,
      EXIT.usage,
    );
  return roles as Role[];
}

/** Graph calls back while a subscription is made, so this comes after the server listens. */
export function beginWatching(app: App): void {
  app.watching.begin().catch((error: unknown) => {
    app.log.warn(
      { err: error },
      "the first check of the mailboxes failed; the next one is on schedule",
    );
  });
}

/** Waits for Ctrl-C or SIGTERM and stops; a second Ctrl-C does not wait any longer. */
export async function untilStopped(stop: App["stop"]): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  process.once("SIGINT", () => process.exit(130));
  await stop();
}
