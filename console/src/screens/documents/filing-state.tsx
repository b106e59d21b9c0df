import type { Filing } from "../../data/books.ts";
import { State, type Tone } from "../../design/state.tsx";

export const FILING_STATES: Readonly<Record<Filing["state"], { tone: Tone; word: string }>> = {
  pending: { tone: "waiting", word: "Being filed" },
  uploaded: { tone: "waiting", word: "Filed, record pending" },
  recorded: { tone: "ok", word: "Recorded" },
  refused: { tone: "failed", word: "Filed, record refused" },
  missing: { tone: "failed", word: "File missing" },
};

export function FilingState({ filing }: { filing: Pick<Filing, "state"> }) {
  const { tone, word } = FILING_STATES[filing.state];
  return <State tone={tone}>{word}</State>;
}
