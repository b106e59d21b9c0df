import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { systemRandom } from "../lib/random.ts";

/**
 * Isolates untrusted code from the machine. Each wall is one level of isolation. The strongest that the system
 * offers is used, and reported, because containers often forbid namespaces even to root.
 */
export type Isolation =
  /** Own user, processes, network and files: it sees only what it needs to run. */
  | "contained"
  /** Own user and no network; sees all files that everybody may read. */
  | "no-network-own-user"
  /** No network; has the rights of our user. */
  | "no-network"
  /** Own user; has network, and sees all files that everybody may read. */
  | "own-user"
  /** Only limits on memory and processor time. */
  | "process-only";

export interface Walls {
  readonly isolation: Isolation;
  /** Whether the command runs in a child of the process that is started. */
  readonly forks: boolean;
  /** The isolated command; `shows` are the paths that it can see, if files are hidden. */
  wrap(command: readonly string[], shows: readonly string[]): string[];
}

const LIBRARIES = [
  "/lib",
  "/lib32",
  "/lib64",
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
  "/etc/ld.so.cache",
];
/** An empty file system is mounted here, which only the child sees. */
const PLACES = ["/srv", "/media", "/mnt", "/opt", "/home"];
const [SETPRIV, UNSHARE] = ["/usr/bin/setpriv", "/usr/bin/unshare"];
/** A process of Node has a dozen threads, and each counts. It cannot write files; pipes are not files. */
const LIMITED = ["/usr/bin/prlimit", "--nproc=64", "--fsize=0"];
/** User ids that systemd reserves for users that exist only as long as their process. */
const [FIRST_USER, USERS] = [61_184, 4_336];

/**
 * Runs as root of a new mount namespace: creates a read-only file system from the paths before `--`, and runs the
 * command after it there. Paths below a path that is already shown are visible anyway.
 */
const MAKE_ROOT = `set -e
root=$1; shift
mount -t tmpfs -o mode=755,size=64k,nosuid,nodev sandbox "$root"
while [ "$1" != -- ]; do
  if [ -e "$root$1" ]; then shift; continue; fi
  mkdir -p "$root\${1%/*}"
  if [ -L "$1" ]; then ln -s "$(readlink "$1")" "$root$1"; shift; continue; fi
  if [ -d "$1" ]; then mkdir "$root$1"; else : >"$root$1"; fi
  mount --bind "$1" "$root$1"
  case $1 in /dev/*) ;; *) mount -o remount,bind,ro,nosuid,nodev "$root$1" ;; esac
  shift
done
shift
mount -o remount,bind,ro,nosuid,nodev "$root"
exec ${LIMITED.join(" ")} chroot "$root" "$@"`;

/** The strongest isolation in which the harmless command runs; determined once per command. */
export function findWalls(harmless: readonly string[], shows: readonly string[]): Walls {
  const key = JSON.stringify([harmless, shows]);
  const known = found.get(key);
  if (known !== undefined) return known;
  const works = (walls: Walls) => {
    const [file, ...args] = walls.wrap(harmless, shows);
    return spawnSync(file!, args, { env: {}, cwd: "/", stdio: "pipe" }).status === 0;
  };
  const walls = wallsFor(process.getuid?.() === 0).find(works) ?? PROCESS_ONLY;
  found.set(key, walls);
  return walls;
}

const found = new Map<string, Walls>();

const PROCESS_ONLY: Walls = {
  isolation: "process-only",
  forks: false,
  wrap: (command) => [...command],
};

/** What may be tried, strongest first. */
export function wallsFor(isRoot: boolean): Walls[] {
  if (process.platform !== "linux" || !existsSync(SETPRIV)) return [];
  const asOwnUser = (command: readonly string[]) => [
    SETPRIV,
    ...ownUser(),
    ...POWERLESS,
    ...command,
  ];
  const limited = (command: readonly string[]) => [...LIMITED, ...asOwnUser(command)];
  const powerless = (command: readonly string[]) => [SETPRIV, ...POWERLESS, ...command];
  const withoutFork = { forks: false };
  if (!isRoot) {
    return [
      contained(["--map-root-user"], powerless),
      {
        ...withoutFork,
        isolation: "no-network",
        wrap: (command) => [UNSHARE, "--map-root-user", "--net", ...powerless(command)],
      },
    ];
  }
  return [
    contained([], asOwnUser),
    {
      ...withoutFork,
      isolation: "no-network-own-user",
      wrap: (command) => [UNSHARE, "--net", "--ipc", ...limited(command)],
    },
    { ...withoutFork, isolation: "own-user", wrap: limited },
  ];
}

/** No capabilities, no way to gain any, and it dies with the process that started it. */
const POWERLESS = [
  "--no-new-privs",
  "--bounding-set=-all",
  "--inh-caps=-all",
  ...["--pdeathsig", "KILL"],
];

function contained(
  namespace: readonly string[],
  lower: (command: readonly string[]) => string[],
): Walls {
  const own = ["--net", "--ipc", "--uts", "--mount", "--pid", "--fork", "--kill-child"];
  return {
    isolation: "contained",
    forks: true,
    wrap(command, shows) {
      const visible = [...LIBRARIES.filter(existsSync), SETPRIV, ...shows];
      const place = PLACES.find((path) => existsSync(path) && !visible.some(isBelow(path)))!;
      return [
        ...[SETPRIV, "--pdeathsig", "KILL", UNSHARE, ...namespace, ...own],
        ...["/bin/sh", "-c", `PATH=/usr/sbin:/usr/bin:/sbin:/bin\nexport PATH\n${MAKE_ROOT}`, "sh"],
        ...[place, ...visible, "--", ...lower(command)],
      ];
    },
  };
}

const isBelow = (folder: string) => (path: string) => path.startsWith(`${folder}/`);

let users = systemRandom.bytes(2).readUInt16BE();

/** Every child has its own user, so that it cannot touch the database, other children or anything else. */
function ownUser(): string[] {
  users = (users + 1) % USERS;
  const id = FIRST_USER + users;
  return ["--reuid", String(id), "--regid", String(id), "--clear-groups"];
}
