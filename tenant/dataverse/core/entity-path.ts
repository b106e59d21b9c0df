import { badQuery } from "./dataverse-error.ts";

/** `sprk_documents(…)/sprk_Matter/$ref` as its parts, each decoded. */
export interface Segment {
  readonly name: string;
  /** The text in the parentheses, or null without parentheses. */
  readonly args: string | null;
}

const SEGMENT_MAX = 260;

export function parsePath(path: string): Segment[] {
  return splitSegments(path)
    .filter((part) => part !== "")
    .map((part) => {
      if (part.length > SEGMENT_MAX) throw badQuery("The length of the URL segment is too long.");
      const match = /^([^()]*)(?:\((.*)\))?$/s.exec(decode(part));
      if (match === null) throw badQuery("Bad Request - Error in query syntax.");
      return { name: match[1]!, args: match[2] ?? null };
    });
}

/** Slashes inside quotes or parentheses belong to a key. */
function splitSegments(path: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let depth = 0;
  for (let index = 0; index < path.length; index++) {
    const character = path[index];
    if (character === "'" || path.startsWith("%27", index)) isQuoted = !isQuoted;
    if (!isQuoted && character === "(") depth += 1;
    if (!isQuoted && character === ")") depth -= 1;
    if (character !== "/" || isQuoted || depth > 0) continue;
    parts.push(path.slice(start, index));
    start = index + 1;
  }
  return [...parts, path.slice(start)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an unescaped percent sign is ordinary text
  }
}
