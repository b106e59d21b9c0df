/**
 * Words to highlight on a page travel in the fragment of its address: it can be shared, and a browser never sends it to
 * a server, so that nobody's document ends up in a log.
 */
const NAME = "lit";
const PHRASE_MAX = 1_000;
const PHRASES_MAX = 20;

export function toFragment(phrases: readonly string[]): string {
  const kept = phrases.slice(0, PHRASES_MAX).map((phrase) => [NAME, phrase.slice(0, PHRASE_MAX)]);
  return new URLSearchParams(kept).toString();
}

export function fromFragment(fragment: string): string[] {
  return new URLSearchParams(fragment.replace(/^#/, "")).getAll(NAME).slice(0, PHRASES_MAX);
}
