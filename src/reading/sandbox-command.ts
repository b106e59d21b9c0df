import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** How well a child is isolated. The best level that the system offers is used. */
export type Isolation = "no-network-own-user" | "no-network" | "process-only";

export interface SandboxCommand {
  file: string;
  args: string[];
  isolation: Isolation;
}

const UNSHARE = "/usr/bin/unshare";
const NOBODY = "65534";
const DATA_KIB_MAX = 1024 * 1024;
const CPU_SECONDS_MAX = 600;

export const childPath = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "./sandbox-child.ts" : "./sandbox-child.js",
    import.meta.url,
  ),
);

export function sandboxCommand(path = childPath): SandboxCommand {
  return isolate([process.execPath, ...nodeFlags(path), path], path);
}

/**
 * Isolates a command as far as the system allows. Kernel limits on memory, processor time and core dumps are
 * a backstop in case the host is too busy to watch. `mustRead` is a file that the command needs.
 */
export function isolate(command: readonly string[], mustRead = command[0]!): SandboxCommand {
  if (process.platform !== "linux" || !existsSync("/bin/sh")) {
    return { file: command[0]!, args: command.slice(1), isolation: "process-only" };
  }
  const limits = `ulimit -c 0; ulimit -t ${CPU_SECONDS_MAX}; ulimit -d ${DATA_KIB_MAX}; exec "$@"`;
  const { wrapper, isolation } = findWrapper([mustRead, command[0]!]);
  const [file, ...args] = [...wrapper, "/bin/sh", "-c", limits, "sh", ...command];
  return { file: file!, args, isolation };
}

function nodeFlags(path: string): string[] {
  const flags = [
    "--max-old-space-size=224",
    "--disallow-code-generation-from-strings",
    "--no-warnings",
  ];
  // The loader for sources starts a process, which the permission model would refuse.
  if (path.endsWith(".ts")) return [...flags, "--import", import.meta.resolve("tsx")];
  return [...flags, permissionFlag(), "--allow-fs-read=*"];
}

/** Denies writing files and starting processes or threads. The flag lost its prefix in Node 24. */
function permissionFlag(): string {
  const isStable = process.allowedNodeEnvironmentFlags.has("--permission");
  return isStable ? "--permission" : "--experimental-permission";
}

/** Tries the wrappers with a harmless command: containers often forbid namespaces, even for root. */
function findWrapper(mustRead: string[]): { wrapper: string[]; isolation: Isolation } {
  const isRoot = process.getuid?.() === 0;
  const candidates: { wrapper: string[]; isolation: Isolation }[] = isRoot
    ? [
        { wrapper: [UNSHARE, "-n", "-S", NOBODY, "-G", NOBODY], isolation: "no-network-own-user" },
        { wrapper: [UNSHARE, "-n"], isolation: "no-network" },
      ]
    : [{ wrapper: [UNSHARE, "-r", "-n"], isolation: "no-network" }];
  const works = candidates.find(({ wrapper }) => canRead(wrapper, mustRead));
  return works ?? { wrapper: [], isolation: "process-only" };
}

function canRead(wrapper: string[], paths: string[]): boolean {
  const [file, ...args] = wrapper;
  const checks = paths.flatMap((path, index) => (index === 0 ? ["-r", path] : ["-a", "-r", path]));
  const { status } = spawnSync(file!, [...args, "test", ...checks], { env: {}, cwd: "/" });
  return status === 0;
}
