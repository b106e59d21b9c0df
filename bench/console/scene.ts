/** `postroom up` with an empty company, and Chromium beside it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { openBrowser } from "../../test/helpers/browser.ts";
import { type Closers, makeFolder, startPostgres } from "../throwaway.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/postroom.js", import.meta.url));

export interface Scene {
  readonly url: string;
  readonly browser: Browser;
  readonly database: Database;
}

export async function openScene(closers: Closers): Promise<Scene> {
  const folder = await makeFolder(closers);
  const postgres = await startPostgres(folder, closers);
  const databaseUrl = await postgres.create("console");
  const port = await freePort();
  const server = spawn(process.execPath, [PROGRAM, "up", "--quiet", "--no-sample-mail"], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      POSTROOM_HOME: join(folder, "home"),
      DATABASE_URL: databaseUrl,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  closers.push(async () => {
    const ended = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGINT")) await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await untilServed(url, () => server.exitCode !== null);
  const browser = await openBrowser();
  closers.push(() => browser.close());
  const database = openDatabase({ url: databaseUrl, connections: 2 });
  closers.push(() => database.close());
  return { url, browser, database };
}

async function untilServed(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    if (hasEnded()) throw new Error("the server ended before it answered");
    const isServed = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isServed) return;
    await pause();
  }
}

/** In the page: the time from `start` until an element matches and the frame with it is painted. */
const UNTIL_PAINTED = `globalThis.untilPainted = (start, isThere) => new Promise((done) => {
  const look = () => isThere() && (observer.disconnect(), requestAnimationFrame(() =>
    requestAnimationFrame(() => done(performance.now() - start))));
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  look();
})`;

/** A page on which an operator is signed in. */
export async function aPage({ browser, url }: Scene): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const settings = (await (await fetch(`${url}/api/console/settings`)).json()) as {
    people: { id: string; name: string }[];
  };
  const { id } = settings.people.find(({ name }) => name === "Nina Berg")!;
  await page.addInitScript(`sessionStorage.setItem("postroom.sample", ${JSON.stringify(id)})`);
  await page.addInitScript(UNTIL_PAINTED);
  return page;
}

export const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 100));
