import { MessageChannel } from "node:worker_threads";

/**
 * Keeps the process alive until the returned function is called: our timers do not, and Node ends a program
 * silently, with exit code 13, once nothing else is left to wait for.
 */
export function keepAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.on("message", () => {});
  return () => port1.close();
}
