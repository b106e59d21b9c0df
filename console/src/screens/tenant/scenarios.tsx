import { useState } from "react";
import { playScenario, type TenantState } from "../../data/tenant.ts";
import { Card } from "../../design/card.tsx";
import { DoButton, OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";

export function Scenarios({ scenarios }: { scenarios: TenantState["scenarios"] }) {
  const { outcome, run } = useOutcome();
  const [steps, setSteps] = useState<readonly string[]>([]);
  const play = (name: string, title: string) =>
    void run(async () => {
      setSteps([]);
      setSteps((await playScenario(name)).steps);
      return `“${title}” has run.`;
    });
  return (
    <Card title="Scenarios">
      <OutcomeStrip outcome={outcome} />
      {steps.length > 0 && (
        <ol aria-label="What was done" className="bg-sunken px-4 pb-3 text-text-2">
          {steps.map((step, index) => (
            <li key={index} className="break-words">
              {index + 1}. {step}
            </li>
          ))}
        </ol>
      )}
      <ul>
        {scenarios.map(({ name, title, text }) => (
          <li
            key={name}
            className="flex items-start gap-4 border-border border-b px-4 py-3 last:border-b-0"
          >
            <div className="min-w-0 flex-1">
              <h3 className="font-medium">{title}</h3>
              <p className="text-text-2">{text}</p>
            </div>
            <DoButton icon="play" outcome={outcome} onDo={() => play(name, title)}>
              Play
            </DoButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
