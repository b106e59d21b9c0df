import type { ChildProcess } from "node:child_process";

/** A server that a failed or interrupted test did not stop ends with the process that started it. */
export function endWithUs<Child extends ChildProcess>(child: Child): Child {
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}
