/** The `Prefer` header. A preference that is not honoured is missing from `Preference-Applied`. */
export interface Preferences {
  /** Whether an annotation such as `OData.Community.Display.V1.FormattedValue` was requested. */
  wants(annotation: string): boolean;
  readonly hasAnnotations: boolean;
  readonly wantsRepresentation: boolean;
  readonly pageSize: number | null;
  readonly tracksChanges: boolean;
  readonly continuesOnError: boolean;
  /** Names of preferences that shaped the response; whoever does so adds them. */
  readonly honoured: Set<string>;
  /** A preference as the client wrote it, by its name in lower case. */
  written(name: string): string | null;
}

export const FORMATTED_VALUE = "OData.Community.Display.V1.FormattedValue";

export function readPreferences(header: string | undefined): Preferences {
  const written = new Map<string, string>();
  for (const part of (header ?? "").match(/(?:[^,"]|"[^"]*")+/g) ?? []) {
    const text = part.trim();
    const name = text.split("=")[0]!.trim().toLowerCase();
    if (name !== "" && !written.has(name)) written.set(name, text);
  }
  const textOf = (name: string) =>
    written
      .get(name)
      ?.slice(name.length)
      .replace(/^\s*=\s*/, "")
      .replace(/^"|"$/g, "") ?? null;
  const patterns = (textOf("odata.include-annotations") ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const pageSize = Number(textOf("odata.maxpagesize") ?? Number.NaN);
  return {
    wants: (annotation) => patterns.some((pattern) => isMatch(pattern, annotation)),
    hasAnnotations: patterns.length > 0,
    wantsRepresentation: textOf("return")?.toLowerCase() === "representation",
    pageSize: Number.isInteger(pageSize) && pageSize > 0 ? pageSize : null,
    tracksChanges: written.has("odata.track-changes"),
    continuesOnError: written.has("odata.continue-on-error"),
    honoured: new Set(),
    written: (name) => written.get(name) ?? null,
  };
}

/** `*` is everything, `Microsoft.Dynamics.CRM.*` everything in that namespace. */
function isMatch(pattern: string, annotation: string): boolean {
  if (!pattern.endsWith("*")) return pattern === annotation;
  return annotation.startsWith(pattern.slice(0, -1));
}
