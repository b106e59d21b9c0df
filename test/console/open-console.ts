/** One `postroom up` and one browser for all tests of a file. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { until } from "../helpers/app.ts";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const PROGRAM = resolve(import.meta.dirname, "../../bin/postroom.js");

export interface Console {
  readonly url: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** A page on which this sample person is signed in, and everything that it said to the browser's console. */
  open(
    person: string | null,
    path?: string,
    options?: BrowserContextOptions,
  ): Promise<{ page: Page; said: string[] }>;
  /** Asks the API as the operator of this machine. */
  ask<T>(path: string, init?: RequestInit): Promise<T>;
  close(): Promise<void>;
}

export async function openConsole(settings: Record<string, string> = {}): Promise<Console> {
  const home = await mkdtemp(join(tmpdir(), "postroom-console-"));
  // The tenant listens on the next port.
  const port = await freePort();
  const environment = {
    PATH: process.env["PATH"],
    TMPDIR: tmpdir(),
    PORT: String(port),
    POSTROOM_HOME: home,
    DATABASE_URL: await freshDatabaseUrl(),
    ...settings,
  };
  const child = spawn(process.execPath, [PROGRAM, "up", "--quiet"], {
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  endWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  const [browser] = await Promise.all([
    chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] }),
    until(
      "the console",
      () =>
        fetch(url, { headers: { accept: "text/html" } }).then(
          ({ ok }) => ok,
          () => false,
        ),
      180_000,
    ),
  ]);
  return {
    url,
    home,
    environment,
    open: (person, path = "/", options = {}) => openPage(browser, url, { person, path, options }),
    ask: async (path, init = {}) => {
      const key = (await readFile(join(home, "operator-key"), "utf8")).trim();
      const headers = { authorization: `Bearer ${key}`, ...init.headers };
      return (await (await fetch(`${url}${path}`, { ...init, headers })).json()) as never;
    },
    close: async () => {
      await browser.close();
      await stop(child);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function openPage(
  browser: Browser,
  url: string,
  {
    person,
    path,
    options,
  }: { person: string | null; path: string; options: BrowserContextOptions },
): Promise<{ page: Page; said: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const said: string[] = [];
  page.on("console", (message) => void said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => void said.push(error.message));
  await page.goto(`${url}${path}`);
  if (person !== null) {
    await page.getByRole("button", { name: new RegExp(person) }).click();
    await page.getByRole("navigation", { name: "Pages" }).first().waitFor();
  }
  return { page, said };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGINT");
  await ended;
}
