/** Collects the evidence of how a trade came about, for download. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { loadEvidence } from "../data/books.ts";
import { Button } from "../design/button.tsx";
import { Card } from "../design/card.tsx";
import { Empty } from "../design/feedback.tsx";
import { Choice, Field } from "../design/field.tsx";
import { plural } from "../design/format.ts";
import { OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { save } from "../shell/save.ts";
import type { Search } from "../shell/search.ts";

export function Evidence() {
  const { kind = "trade", id = "" } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [bundle, setBundle] = useState<Record<string, unknown> | null>(null);
  const { outcome, run } = useOutcome();
  const set = (changes: Search) => {
    setBundle(null);
    void navigate({ to: "/evidence", search: { kind, id, ...changes }, replace: true });
  };
  const gather = () =>
    run(async () => {
      const found = await loadEvidence(kind, id.trim());
      setBundle(found);
      const count = (name: string) => (Array.isArray(found[name]) ? found[name].length : 0);
      const missing = (found["documents"] as { bytes: string | null; filename: string }[]).filter(
        ({ bytes }) => bytes === null,
      );
      const parts = `${plural(count("messages"), "message")}, ${plural(count("documents"), "document")}`;
      return missing.length === 0
        ? `${parts}: complete.`
        : `${parts}. Missing: ${missing.map(({ filename }) => filename).join(", ")}.`;
    });
  return (
    <PageFrame title="Evidence">
      <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-6">
        <Card title="Collect evidence">
          <div className="p-4">
            <Choice
              label="Evidence for"
              value={kind}
              options={[
                ["trade", "a trade"],
                ["message", "a message"],
              ]}
              onChange={(value) => set({ kind: value })}
            />
            <Field
              label="ID"
              hint="Copy it from a trade or an event."
              value={id}
              onChange={(event) => set({ id: event.target.value })}
            />
            <div className="flex gap-2">
              <Button
                kind="primary"
                disabled={id.trim() === "" || outcome.kind === "busy"}
                onClick={() => void gather()}
              >
                Collect
              </Button>
              {bundle && (
                <Button
                  icon="download"
                  onClick={() =>
                    save(
                      new Blob([JSON.stringify(bundle, null, 2)], { type: "application/json" }),
                      "evidence.json",
                    )
                  }
                >
                  Download
                </Button>
              )}
            </div>
          </div>
          <OutcomeStrip outcome={outcome} />
        </Card>
        {bundle === null && outcome.kind === "none" && (
          <Empty icon="evidence" title="Evidence proves how a trade came about.">
            It contains the mail, the PDFs, what was read from them and every decision, with hashes.
            To get a folder that anyone can verify offline, run{" "}
            <code className="font-mono text-label">postroom evidence export</code>.
          </Empty>
        )}
      </div>
    </PageFrame>
  );
}
