/** Runs for each test file. Files of one worker share a process, so each leaves it as it found it. */
import { afterAll, vi } from "vitest";
import { endFile } from "./after-file.ts";

const folder = process.cwd();
const environment = { ...process.env };

afterAll(async () => {
  await endFile();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
