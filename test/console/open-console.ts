/** One `postroom up` and one browser for all tests of a file. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { until } from "../helpers/app.ts";
import { openBrowser } from "../helpers/browser.ts";
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
  /** Steers the local tenant. */
  steer<T>(path: string, body: object): Promise<T>;
  /** Ends the server at once, with everything that it started, and starts it again on the same data and port. */
  crash(): Promise<{ restart(): Promise<void> }>;
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
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const started = spawn(process.execPath, [PROGRAM, "up", "--quiet"], {
      env: environment,
      stdio: ["ignore", "ignore", "inherit"],
    });
    endWithUs(started);
    await until("the console", () => isServed(url), 180_000);
    return started;
  };
  const [browser, first] = await Promise.all([openBrowser(), start()]);
  let child = first;
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
    steer: async (path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port + 1}/admin${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as never;
    },
    crash: async () => {
      await stop(child, "SIGKILL");
      return {
        restart: async () => {
          child = await start();
        },
      };
    },
    close: async () => {
      await browser.close();
      await stop(child, "SIGINT");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Goes to a page as a link does: nothing is loaded again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await page.getByRole("heading", { level: 1 }).waitFor();
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
  if (person !== null) {
    // As the demo remembers whom the reader chose; that one click signs in is tested where it matters.
    const id = await idOf(url, person);
    await page.addInitScript(`sessionStorage.setItem("postroom.sample", ${JSON.stringify(id)})`);
  }
  await page.goto(`${url}${path}`);
  if (person !== null) await page.getByRole("navigation", { name: "Pages" }).first().waitFor();
  return { page, said };
}

async function idOf(url: string, person: string): Promise<string> {
  const { people } = (await (await fetch(`${url}/api/console/settings`)).json()) as {
    people: { id: string; name: string }[];
  };
  return people.find(({ name }) => name.includes(person))!.id;
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url, { headers: { accept: "text/html" } }).then(
    ({ ok }) => ok,
    () => false,
  );

async function stop(child: ChildProcess, signal: "SIGINT" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  await ended;
}
