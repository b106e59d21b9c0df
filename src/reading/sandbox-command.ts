import { existsSync, realpathSync } from "node:fs";
import { childProgram } from "./child-program.ts";
import { findWalls, type Isolation } from "./walls.ts";

export interface SandboxCommand {
  readonly file: string;
  readonly args: string[];
  readonly isolation: Isolation;
  /** Whether the command runs in a child of the process that is started. */
  readonly forks: boolean;
}

const DATA_KIB_MAX = 1024 * 1024;
const CPU_SECONDS_MAX = 600;
/** A backstop in case the host is too busy to watch. */
const LIMITS = `ulimit -c 0; ulimit -t ${CPU_SECONDS_MAX}; ulimit -d ${DATA_KIB_MAX}; exec "$@"`;

/** Call it once per child, so that no two children have the same user. */
export function sandboxCommand(path = childProgram()): SandboxCommand {
  // Permissions and mounts apply to the real file, not to a link.
  const file = realpathSync(path);
  const node = process.execPath;
  return isolate([node, ...nodeFlags(file), file], [node, file], [node, "--version"]);
}

/**
 * Isolates a command as far as the system allows. `shows` are the paths that it needs to see; the harmless
 * command tests whether it could run.
 */
export function isolate(
  command: readonly string[],
  shows: readonly string[],
  harmless: readonly string[],
): SandboxCommand {
  const { isolation, forks, wrap } = findWalls(harmless, shows);
  const walled = wrap(command, shows);
  const limited = existsSync("/bin/sh") ? ["/bin/sh", "-c", LIMITS, "sh", ...walled] : walled;
  return { file: limited[0]!, args: limited.slice(1), isolation, forks };
}

/** Under Node's permission model it may read its own program, write nothing, and start nothing. */
function nodeFlags(file: string): string[] {
  return [
    "--max-old-space-size=224",
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    permissionFlag(),
    `--allow-fs-read=${file}`,
  ];
}

/** The flag lost its prefix in Node 24. */
function permissionFlag(): string {
  const isStable = process.allowedNodeEnvironmentFlags.has("--permission");
  return isStable ? "--permission" : "--experimental-permission";
}
