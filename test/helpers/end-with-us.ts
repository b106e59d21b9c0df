import type { ChildProcess } from "node:child_process";

/** Makes a server exit with the process that started it, even if a failed or interrupted test did not stop it. */
export function endWithUs<Child extends ChildProcess>(child: Child): Child {
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}
