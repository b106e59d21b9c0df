import { spawn } from "node:child_process";

/** What opens a web page on this system. */
const OPENERS: Readonly<Record<string, string>> = { darwin: "open", win32: "explorer" };

/** Without a desktop there is nothing to open, and the address above is enough. */
export function launch(url: string): Promise<void> {
  const child = spawn(OPENERS[process.platform] ?? "xdg-open", [url], {
    stdio: "ignore",
    detached: true,
  });
  child.unref();
  return new Promise((done) => {
    child.once("error", () => done());
    child.once("spawn", () => done());
  });
}
