/** Reads the Dockerfile, and carries out its last stage in a chroot, because no container engine runs where tests run. */
import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}
export interface Stage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

export function readStages(text = readFileSync(`${ROOT}/deploy/Dockerfile`, "utf8")): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\s*\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { base: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, keyword = "", text = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const [, base, name] = keyword === "FROM" ? (/^(\S+)(?: AS (\w+))?$/.exec(text) ?? []) : [];
    if (base === undefined) stages.at(-1)!.instructions.push({ keyword, text });
    else stages.push({ base, name: name ?? null, instructions: [] });
  }
  return stages;
}

export interface Image {
  readonly workdir: string;
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly copies: readonly {
    readonly from: string | null;
    readonly sources: readonly string[];
    readonly to: string;
  }[];
  readonly runs: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** What the instructions of a stage come to. Throws at one that it does not know. */
export function readImage({ instructions }: Stage): Image {
  const image = {
    ...{ workdir: "/", user: "0", environment: {} as Record<string, string> },
    ...{ volumes: [] as string[], copies: [] as Image["copies"][number][], runs: [] as string[] },
    ...{ entrypoint: [] as string[], command: [] as string[], healthCheck: [] as string[] },
  };
  const list = (text: string): string[] => JSON.parse(text) as string[];
  const set = (change: Partial<typeof image>) => void Object.assign(image, change);
  const carryOut: Readonly<Record<string, (text: string) => void>> = {
    WORKDIR: (text) => set({ workdir: text }),
    USER: (text) => set({ user: text }),
    ENV: (text) =>
      void Object.assign(
        image.environment,
        Object.fromEntries(text.split(" ").map((each) => each.split("="))),
      ),
    VOLUME: (text) => void image.volumes.push(...list(text)),
    RUN: (text) => void image.runs.push(text),
    EXPOSE: () => {},
    ENTRYPOINT: (text) => set({ entrypoint: list(text) }),
    CMD: (text) => set({ command: list(text) }),
    HEALTHCHECK: (text) => set({ healthCheck: list(text.replace(/^.*? CMD /, "")) }),
    COPY(text) {
      const [, from] = /--from=(\w+)/.exec(text) ?? [];
      const words = text.split(" ").filter((word) => !word.startsWith("--"));
      const to = posix.resolve(image.workdir, words.pop()!);
      image.copies.push({ from: from ?? null, sources: words, to });
    },
  };
  for (const { keyword, text } of instructions) carryOut[keyword]!(text);
  return image;
}

/**
 * A script for root in a mount namespace of its own: makes the root file system from the programs of this machine and
 * from what the stage copies, runs what the stage runs, takes away the right to write, and becomes the image's user.
 * `placed` are pairs of a file or folder here and its place there.
 */
export function chrootScript(
  image: Image,
  root: string,
  placed: readonly (readonly [string, string])[],
): string {
  const [uid, gid = uid] = image.user.split(":");
  const environment = Object.entries(image.environment).map(
    ([name, value]) => `'${name}=${value}'`,
  );
  const bind = ([here, there]: readonly [string, string]) => `bind '${here}' '${there}'`;
  return `set -e
root='${root}'
bind() {
  mkdir -p "$root\${2%/*}"
  if [ -L "$1" ]; then ln -s "$(readlink "$1")" "$root$2"; return; fi
  if [ -d "$1" ]; then mkdir -p "$root$2"; else : >"$root$2"; fi
  mount --bind "$1" "$root$2"
  case $1 in /dev/*) ;; *) mount -o remount,bind,ro "$root$2" ;; esac
}
mount -t tmpfs -o mode=755 image "$root"
for path in /usr /bin /sbin /lib /lib32 /lib64 /etc/ld.so.cache /etc/passwd /etc/group /etc/hosts; do
  if [ -e "$path" ]; then bind "$path" "$path"; fi
done
for path in null zero urandom random; do bind "/dev/$path" "/dev/$path"; done
mkdir -p "$root/proc" "$root/tmp" "$root/mnt" "$root${image.workdir}"
mount --bind /proc "$root/proc"
${placed.map(bind).join("\n")}
${image.runs.map((run) => `chroot "$root" /bin/sh -c '${run}'`).join("\n")}
mount -o remount,ro "$root"
${image.volumes.map((path) => `mount -t tmpfs -o mode=755,uid=${uid},gid=${gid} volume "$root${path}"`).join("\n")}
exec setpriv --no-new-privs chroot --userspec=${uid}:${gid} "$root" /usr/bin/env -i -C '${image.workdir}' PATH=/usr/bin:/bin ${environment.join(" ")} "$@"`;
}
