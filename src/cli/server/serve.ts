import { Command } from "commander";
import type { App, ProcessRole } from "../../app.ts";
import { loadConfigAndVault, processEnvironment } from "../../config.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { openConsoleFiles } from "../console/open-console-files.ts";
import { partsOff, whyIdle } from "./role-needs.ts";

// Spelled out here so that --help does not have to load the whole app.
const ALL_ROLES: readonly ProcessRole[] = ["intake", "api", "worker"];

export function serveCommand(): Command {
  return new Command("serve")
    .description("run the server and workers against the tenant in the settings")
    .option(
      "--role <roles>",
      "parts to run, separated by commas: intake, api, worker",
      ALL_ROLES.join(","),
    )
    .addHelpText(
      "after",
      "\nExample:\n  GRAPH_TENANT_ID=… GRAPH_CLIENT_ID=… GRAPH_CLIENT_SECRET=file:/run/secret postroom serve --role worker",
    )
    .action(async (options: { role: string }) => {
      const stopped = stopSignal();
      const config = await loadConfigAndVault(processEnvironment());
      const roles = toRoles(options.role);
      const problem = whyIdle(config, roles);
      if (problem !== null) throw new CommandError(problem, EXIT.usage);
      const { startApp } = await import("../../app.ts");
      const { keepSecrets } = await import("../../app/renew-secrets.ts");
      const consoleFiles = roles.includes("api")
        ? openConsoleFiles((line) => process.stderr.write(`${line}\n`))
        : undefined;
      const app = await startApp(config, { roles, consoleFiles });
      const lines = [...partsOff(config), `postroom is listening at ${app.url}`];
      for (const line of lines) process.stderr.write(`${line}\n`);
      if (Object.keys(config.connections).length > 0) beginWatching(app);
      const secrets = keepSecrets({ ...app, config }, () =>
        loadConfigAndVault(processEnvironment()),
      );
      process.on("SIGHUP", () => void secrets.ask());
      await stopped;
      secrets.stop();
      await app.stop();
    });
}

function toRoles(text: string): ProcessRole[] {
  const roles = text.split(",").map((role) => role.trim());
  const wrong = roles.filter((role) => !(ALL_ROLES as readonly string[]).includes(role));
  if (wrong.length > 0)
    throw new CommandError(
      `unknown role: ${wrong.join(", ")} (use ${ALL_ROLES.join(", ")})`,
      EXIT.usage,
    );
  return roles as ProcessRole[];
}

/** Call this once the server listens: Graph calls back while it creates a subscription. */
export function beginWatching(app: App): void {
  app.watching.begin().catch((error: unknown) => {
    app.log.warn(
      { err: error },
      "the first check of the mailboxes failed; the next scheduled check retries it",
    );
  });
}

/**
 * Resolves on Ctrl-C or SIGTERM; a second signal exits immediately. Call it first: a signal that arrives
 * while the parts are starting would otherwise end this process and leave them running. Exiting ends them
 * too.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const [signal, exitCode] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)
      process.on(signal, () => {
        if (isStopping) process.exit(exitCode);
        isStopping = true;
        resolve();
      });
  });
}
