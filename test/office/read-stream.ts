/** Reads the stream of a save as a browser does. */
export interface SentEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

/** To its end. */
export async function readStream(
  url: string,
  headers: Record<string, string>,
): Promise<SentEvent[]> {
  const answer = await fetch(url, { headers });
  return toEvents(await answer.text());
}

export const toEvents = (text: string): SentEvent[] =>
  text
    .split("\n\n")
    .filter((block) => block.includes("event: "))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const id = field("id");
      return { event: field("event")!, ...(id ? { id } : {}), data: JSON.parse(field("data")!) };
    });
