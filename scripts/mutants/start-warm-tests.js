/** Starts a vitest that stays; one that does not answer in time is replaced. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./warm-tests.js", import.meta.url));
const RUN_MS_MAX = 300_000;

export async function startWarmTests({ folder, postgresUrl }, name) {
  const temporary = join(folder, `tmp-${name}`);
  await mkdir(temporary, { recursive: true });
  const start = async () => {
    const child = fork(PROGRAM, [folder, postgresUrl, name], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary, NO_COLOR: "1" },
      stdio: ["ignore", process.env.MUTATE_SHOW ? "inherit" : "ignore", "inherit", "ipc"],
      detached: true,
    });
    await once(child, "message");
    return child;
  };
  let child = await start();
  return {
    /** Runs these tests of the file, or all, with one refusal off, or none. Null if they do not end. */
    async run(order) {
      const answer = new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), RUN_MS_MAX);
        child.once("message", (message) => {
          clearTimeout(timer);
          resolve(message);
        });
      });
      child.send({ names: null, off: null, isNoted: false, ...order });
      const result = await answer;
      if (result !== null) return result;
      process.kill(-child.pid, "SIGKILL");
      child = await start();
      return null;
    },
    async close() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
