/** The deep analyses that a save asked for, while they are written and after that. */
import { useEffect, useState } from "react";
import type { Server, WrittenAnalysis } from "./server.ts";
import type { Words } from "./words.ts";

export interface AnalysesProps {
  readonly server: Server;
  readonly jobId: string;
  readonly words: Words;
}

const PAUSE_MS = 3_000;

/** Nothing if none was asked for. */
export function Analyses({ server, jobId, words }: AnalysesProps) {
  const [analyses, setAnalyses] = useState<readonly WrittenAnalysis[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const found = await server.analyses(jobId, stop.signal);
      setAnalyses(found);
      if (found.some(isUnfinished)) timer = setTimeout(() => void look().catch(fail), PAUSE_MS);
    };
    const fail = (error: Error) => {
      if (!stop.signal.aborted) setProblem(error.message);
    };
    look().catch(fail);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [server, jobId]);

  if (problem !== null) return <p role="alert">{problem}</p>;
  if (analyses.length === 0) return null;
  return (
    <section aria-label={words.analyses} aria-live="polite" aria-busy={analyses.some(isUnfinished)}>
      <h2>{words.analyses}</h2>
      {analyses.map((analysis, index) => (
        <details key={analysis.documentId} open={index === 0}>
          <summary>{analysis.name}</summary>
          <p className="analysis">{textOf(analysis, words)}</p>
        </details>
      ))}
    </section>
  );
}

const isUnfinished = ({ state }: WrittenAnalysis): boolean =>
  state === "waiting" || state === "running";

/** Text and never HTML: a model wrote it about what strangers wrote. */
function textOf({ state, content, error }: WrittenAnalysis, words: Words): string {
  if (state === "failed") return `${words.notAnalysed}${error === null ? "" : ` (${error})`}`;
  return content === "" ? words.analysing : content;
}
