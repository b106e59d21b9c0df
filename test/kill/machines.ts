/** Servers and workers as processes, each on its own machine and disk, behind one address that Graph calls. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProcessRole } from "../../src/app.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

export interface Machine {
  readonly roles: readonly ProcessRole[];
  readonly settings: Record<string, string>;
}

export const bundleMachine = (): Promise<string> =>
  bundleProgram(
    new URL("./storm-program.ts", import.meta.url),
    new URL("../../src/store/migrate.ts", import.meta.url),
  );

/** Keeps the machines running; a killed one starts again. */
export function runMachines(program: string, machines: readonly Machine[]) {
  const start = ({ roles, settings }: Machine): ChildProcess => {
    const args = [program, ...roles];
    const env = { PATH: process.env["PATH"], ...settings };
    return endWithUs(
      spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] }),
    );
  };
  const running = machines.map(start);
  const kill = async (index: number): Promise<void> => {
    const child = running[index]!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    async killAndRestart(index: number): Promise<void> {
      await kill(index);
      running[index] = start(machines[index]!);
    },
    stop: () => Promise.all(running.map((_, index) => kill(index))),
  };
}

/** Passes requests on to the servers in turn; 503 while the one whose turn it is does not answer. */
export async function startBalancer(ports: () => readonly string[]) {
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const all = ports();
    const { method, url, headers } = incoming;
    turn += 1;
    const to = { port: all[turn % all.length], method, path: url, headers };
    const onward = request({ host: "127.0.0.1", ...to }, (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    onward.on("error", () => answer.headersSent || answer.writeHead(503).end());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: () => new Promise((ended) => server.close(ended)) };
}
