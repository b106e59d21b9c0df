import { Fault } from "./fault.ts";
import { MANIFEST } from "./version.ts";

const { peerDependencies, optionalDependencies } = MANIFEST;
const OPTIONAL_VERSIONS: Readonly<Record<string, string>> = {
  ...peerDependencies,
  ...optionalDependencies,
};

/**
 * Loads code whose packages an installation may lack, because few installations need more than one cloud. If
 * a package is missing, the fault says what to install.
 */
export async function loadDriver<T>(
  what: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!packages.some((name) => isMissing(error, name))) throw error;
    const versions = packages.map((name) => `${name}@${OPTIONAL_VERSIONS[name]}`).join(" ");
    throw new Fault(
      "settings.bad",
      `${what} needs a package that is not installed; run "npm install ${versions}"`,
      { cause: error },
    );
  }
}

/** True only if the package itself is missing: a broken installation of it is another problem. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && message.startsWith(`Cannot find package '${name}'`);
}
