/** Collects the evidence of how a trade came about, for download. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { loadEvidence } from "../data/books.ts";
import { useTrades } from "../data/trades.ts";
import { Button } from "../design/button.tsx";
import { Card } from "../design/card.tsx";
import { Choice, Field } from "../design/field.tsx";
import { formatDay, plural } from "../design/format.ts";
import { OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { save } from "../shell/save.ts";
import type { Search } from "../shell/search.ts";
import { tradeTitle } from "./trades/trade-words.tsx";

type Bundle = Record<string, unknown>;

export function Evidence() {
  const { kind = "trade", id = "" } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [bundle, setBundle] = useState<Bundle | null>(null);
  const { outcome, run } = useOutcome();
  const set = (changes: Search) => {
    setBundle(null);
    void navigate({ to: "/evidence", search: { kind, id, ...changes }, replace: true });
  };
  const gather = () =>
    run(async () => {
      const found = await loadEvidence(kind, id.trim());
      setBundle(found);
      return describeBundle(found);
    }, "Collecting the evidence");
  return (
    <PageFrame title="Evidence">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
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
              hint={
                kind === "trade"
                  ? "Choose one of the latest trades, or copy the ID from its page."
                  : "Copy the ID from an event."
              }
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
                <Button icon="download" onClick={() => saveBundle(bundle)}>
                  Download
                </Button>
              )}
            </div>
          </div>
          <OutcomeStrip outcome={outcome} />
        </Card>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Explained />
          <Latest onChoose={(tradeId) => set({ kind: "trade", id: tradeId })} />
        </div>
      </div>
    </PageFrame>
  );
}

function describeBundle(bundle: Bundle): string {
  const count = (name: string) => (Array.isArray(bundle[name]) ? bundle[name].length : 0);
  const documents = bundle["documents"] as { bytes: string | null; filename: string }[];
  const missing = documents.filter(({ bytes }) => bytes === null);
  const parts = `${plural(count("messages"), "message")}, ${plural(count("documents"), "document")}`;
  return missing.length === 0
    ? `${parts}: complete.`
    : `${parts}. Missing: ${missing.map(({ filename }) => filename).join(", ")}.`;
}

function saveBundle(bundle: Bundle): void {
  const json = new Blob([JSON.stringify(bundle, null, 2)], { type: "application/json" });
  save(json, "evidence.json");
}

function Explained() {
  return (
    <Card title="What it proves">
      <p className="p-4 text-text-2">
        Evidence shows how a trade came about: the mail, the PDFs, what was read from them and every
        decision, with hashes. To get a folder that anyone can verify offline, run{" "}
        <code className="font-mono text-label">postroom evidence export</code>.
      </p>
    </Card>
  );
}

const LATEST = 8;

function Latest({ onChoose }: { onChoose: (tradeId: string) => void }) {
  const { data = [] } = useTrades({});
  if (data.length === 0) return null;
  return (
    <Card title="Latest trades">
      <ul className="py-1">
        {data.slice(0, LATEST).map((trade) => (
          <li key={trade.id}>
            <button
              type="button"
              onClick={() => onChoose(trade.id)}
              className="block w-full truncate px-4 py-1.5 text-left hover:bg-sunken"
            >
              {tradeTitle(trade)}
              <span className="block text-label text-text-2">
                {trade.tradeDate === null ? "–" : formatDay(trade.tradeDate)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
