import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's Chromium; the one without windows, if it is there, needs two thirds of the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export function openBrowser(...args: string[]): Promise<Browser> {
  const executablePath = PROGRAMS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error(`none of ${PROGRAMS.join(", ")} is installed`);
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...args] });
}
