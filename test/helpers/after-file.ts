/**
 * What helpers do when a test file ends. Files of one worker share their modules, so that an `afterAll` at the top of a
 * helper would run after the first file only; the set-up file, which runs for each, calls these instead.
 */
const hooks: (() => Promise<void>)[] = [];

export function afterEachFile(hook: () => Promise<void>): void {
  hooks.push(hook);
}

/** The last first: what was imported later may need what was imported before. */
export async function endFile(): Promise<void> {
  for (const hook of hooks.toReversed()) await hook();
}
