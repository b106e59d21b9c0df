/** SQL's `like`: `%` is any text, `_` one character, `[ab]` one of these, `[^ab]` none of them. */
export function like(pattern: string): (value: unknown) => boolean {
  const source = pattern
    .replace(/[.*+?${}()|\\]/g, "\\$&")
    .replace(/(?<!\[)\^/g, "\\^")
    .replace(/%/g, "[\\s\\S]*")
    .replace(/_/g, "[\\s\\S]");
  const expression = toExpression(source);
  return (value) => typeof value === "string" && expression.test(value);
}

/** A bracket that is not closed stands for itself. */
function toExpression(source: string): RegExp {
  try {
    return new RegExp(`^${source}$`, "i");
  } catch {
    return new RegExp(`^${source.replace(/[[\]]/g, "\\$&")}$`, "i");
  }
}

/** `contains`, `startswith` and `endswith` take the same wildcards. */
export function likeFunction(
  name: string,
): ((part: string) => (value: unknown) => boolean) | undefined {
  return {
    contains: (part: string) => like(`%${part}%`),
    startswith: (part: string) => like(`${part}%`),
    endswith: (part: string) => like(`%${part}`),
  }[name];
}
