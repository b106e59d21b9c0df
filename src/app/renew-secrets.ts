/** Secrets that are renewed while the program runs, so that nothing has to stop when one expires or leaks. */
import type { Config } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { Secret } from "../lib/redact.ts";

/** Callers may present the previous secret for this long: not all of them get the new one at the same time. */
const BEFORE_MS = 15 * 60_000;
/** Kubernetes changes mounted files without a signal. */
const CHECK_MS = 60_000;

/**
 * Gives the secrets in use the values of the new settings, says which changed, and returns what makes them forget the values
 * that they had. Nothing else changes.
 */
function renewSecrets(used: Config, fresh: Config): { names: string[]; forgets: (() => void)[] } {
  const names: string[] = [];
  const forgets: (() => void)[] = [];
  const visit = (old: unknown, now: unknown, path: string): void => {
    if (old instanceof Secret && now instanceof Secret) {
      if (old.reveal() === now.reveal()) return;
      forgets.push(old.renew(now.reveal()));
      names.push(path);
    } else if (isObject(old) && isObject(now))
      for (const [name, each] of Object.entries(old))
        visit(each, now[name], path === "" ? name : `${path}.${name}`);
  };
  visit(used, fresh, "");
  return { names, forgets };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Secret);

/** Reads the settings again every minute, and whenever `ask` is called. */
export function keepSecrets(
  needs: { readonly config: Config; readonly log: Log; readonly clock: Clock },
  load: () => Promise<Config> | Config,
): { ask: () => Promise<void>; stop: () => void } {
  const { config, log, clock } = needs;
  const ask = async (): Promise<void> => {
    try {
      const { names, forgets } = renewSecrets(config, await load());
      if (names.length === 0) return;
      log.info({ settings: names }, "secrets were renewed");
      clock.after(BEFORE_MS, () => {
        for (const forget of forgets) forget();
      });
    } catch (error) {
      log.warn({ err: error }, "the settings cannot be read again; the secrets stay as they are");
    }
  };
  let cancel = () => {};
  const later = (): void => {
    cancel = clock.after(CHECK_MS, () => void ask().finally(later));
  };
  later();
  return { ask, stop: () => cancel() };
}
