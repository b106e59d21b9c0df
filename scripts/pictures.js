/**
 * Makes the pictures of the README and the docs: starts `postroom up` in a folder of its own, lets it work for a moment,
 * and photographs its pages in both themes. `node scripts/pictures.js [FOLDER]`; needs Chromium.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const SIZE = { width: 1280, height: 800 };
const BYTES_MAX = 150_000;
const folder = resolve(process.argv[2] ?? "docs/pictures");
const home = await mkdtemp(join(tmpdir(), "postroom-pictures-"));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const { PATH } = process.env;
const environment = { PATH, TMPDIR: tmpdir(), PORT: String(port), POSTROOM_HOME: home };
const child = spawn(process.execPath, ["bin/postroom.js", "up", "--quiet"], {
  env: environment,
  stdio: ["ignore", "ignore", "inherit"],
});
const ended = new Promise((done) => child.once("exit", done));
const programs = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"];
const browser = await chromium.launch({
  executablePath: programs.find((path) => existsSync(path)),
  args: ["--no-sandbox"],
});
try {
  await until("the console", () =>
    fetch(url, { headers: { accept: "text/html" } }).then((a) => a.ok),
  );
  const pages = await prepare();
  await mkdir(folder, { recursive: true });
  for (const theme of ["light", "dark"]) await shoot(theme, pages);
} finally {
  await browser.close();
  child.kill("SIGINT");
  await ended;
  await rm(home, { recursive: true, force: true });
}

/** Mail, questions and documents as a first hour brings them; returns what to photograph. */
async function prepare() {
  await until("trades", async () => (await ask("/api/trades")).trades.length >= 5);
  await ask("/api/tenant/scenarios/notes-at-once", { method: "POST" });
  await ask("/api/tenant/scenarios/forged-sender", { method: "POST" });
  await until("more trades", async () => (await ask("/api/trades")).trades.length >= 10);
  await fileDocuments();
  const { reviews } = await until("questions", async () => {
    const found = await ask("/api/reviews?status=open");
    return found.reviews.some(({ lineId }) => lineId !== null) && found;
  });
  return [
    { name: "overview", path: "/", ready: "canvas" },
    { name: "review", path: `/review/${await bestQuestion(reviews)}`, ready: "[data-focused]" },
    {
      name: "trace",
      path: `/trace/${encodeURIComponent(await bestTrace())}`,
      ready: "main ol, main li",
    },
    { name: "search", path: "/search?q=notice+period", ready: "mark" },
  ];
}

/** One that shows what review is about: a value on the page that fails a check. */
async function bestQuestion(reviews) {
  const rank = ({ reason }) =>
    /price|gross|net|quantity/.test(reason) ? 0 : /confidence/.test(reason) ? 1 : 2;
  const withLine = reviews.filter(({ lineId }) => lineId !== null);
  return withLine.sort((a, b) => rank(a) - rank(b))[0].id;
}

/** The message of the newest trade, from notification to archive. */
async function bestTrace() {
  const { events } = await ask(
    "/api/events?type=arrived&mailbox=operations@ashdown.example&limit=50",
  );
  for (const { messageId } of events) {
    const { steps } = await ask(`/api/trace/${encodeURIComponent(messageId)}`);
    const isBooked = steps.some(({ facts }) => facts.trade !== undefined);
    if (isBooked && steps.some(({ kind }) => kind === "notification")) return messageId;
  }
  throw new Error("no message became a trade");
}

/** More of the sample documents than `up` files by itself. */
async function fileDocuments() {
  const args = ["bin/postroom.js", "tenant", "fill", "--documents", "60"];
  await promisify(execFile)(process.execPath, args, { env: environment });
  await until("documents in the index", async () => {
    const { count } = await ask("/api/search?q=notice+period");
    return count.documents >= 4;
  });
}

async function shoot(theme, pages) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: /Nina Berg/ }).click();
  for (const { name, path, ready } of pages) {
    await page.evaluate((to) => {
      history.pushState({}, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.locator(ready).first().waitFor();
    await page.locator("main [aria-busy]").first().waitFor({ state: "detached" });
    await page.evaluate(() => document.fonts.ready);
    if (name === "review") await page.locator("canvas[data-drawn]").waitFor();
    const bytes = await toWebp(context, await page.screenshot());
    if (bytes.length > BYTES_MAX) throw new Error(`${name} has ${bytes.length} bytes`);
    await writeFile(join(folder, `${name}-${theme}.webp`), bytes);
    process.stdout.write(`${name}-${theme}.webp  ${Math.round(bytes.length / 1000)} KB\n`);
  }
  await context.close();
}

/** The browser has an encoder; no other program is needed. */
async function toWebp(context, png) {
  const page = await context.newPage();
  const text = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.9).split(",")[1];
  }, png.toString("base64"));
  await page.close();
  return Buffer.from(text, "base64");
}

async function ask(path, { headers, ...init } = {}) {
  const key = (await readFile(join(home, "operator-key"), "utf8")).trim();
  const answer = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  if (answer.ok) return answer.json();
  throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function until(what, look) {
  const end = Date.now() + 300_000;
  for (;;) {
    const found = await look().catch((error) => (Date.now() > end ? Promise.reject(error) : null));
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** The tenant listens on the next one. */
function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => done(free));
    });
  });
}
