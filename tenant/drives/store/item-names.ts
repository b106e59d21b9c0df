import { GraphProblem } from "../../graph/call/graph-error.ts";

const FORBIDDEN = /["*:<>?/\\|]/;
const RESERVED = /^(\.lock|con|prn|aux|nul|com\d|lpt\d|desktop\.ini|_vti_)$/i;

/** Throws unless SharePoint accepts this as the name of a file or folder. */
export function checkName(name: string): void {
  const isBad =
    name.length === 0 ||
    name.length > 255 ||
    FORBIDDEN.test(name) ||
    RESERVED.test(name) ||
    name.startsWith("~$") ||
    name.includes("_vti_") ||
    name !== name.trim() ||
    name === "." ||
    name === ".." ||
    /[\u0000-\u001f]/.test(name);
  if (!isBad) return;
  throw new GraphProblem(
    400,
    "invalidRequest",
    "The provided name cannot contain these characters.",
    {
      innerCode: "nameContainsInvalidCharacters",
    },
  );
}

/** `a.pdf`, `a 1.pdf`, `a 2.pdf`: the first that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [baseName, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1; ; number++) {
    const candidate = `${baseName} ${number}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}
