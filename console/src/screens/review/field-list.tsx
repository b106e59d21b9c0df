/** The fields of a question. Arrows and Tab move, Enter edits, a digit takes another reading. */
import { useEffect, useRef } from "react";
import type { Facts, TradeLine } from "../../data/reviews.ts";
import { Key } from "../../design/button.tsx";
import { toPercent } from "../../design/format.ts";
import { Confidence } from "../../design/values.tsx";
import { type Check, rivalsOf } from "./checks.ts";
import type { Draft } from "./drafts.ts";
import { evidenceOf, FIELDS, type FieldSpec, showValue, toInput, understand } from "./fields.ts";

export interface FieldListProps {
  readonly line: TradeLine | null;
  readonly read: Facts;
  readonly facts: Facts;
  readonly draft: Facts;
  readonly texts: Draft["texts"];
  readonly checks: readonly Check[];
  readonly focusKey: string;
  onFocus(key: string): void;
  onSet(key: string, value: Facts[string] | undefined): void;
  onText(key: string, text: string | undefined): void;
}

const GROUPS = [...new Set(FIELDS.map(({ group }) => group))];

export function FieldList(props: FieldListProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-4 short:flex-none">
      {GROUPS.map((group) => (
        <section key={group} aria-label={group}>
          <h3 className="px-4 pb-1 pt-3 text-label font-medium text-text-2">{group}</h3>
          {FIELDS.filter((spec) => spec.group === group).map((spec) => (
            <FieldRow key={spec.key} spec={spec} {...props} />
          ))}
        </section>
      ))}
    </div>
  );
}

function FieldRow({ spec, ...props }: FieldListProps & { spec: FieldSpec }) {
  const { line, read, facts, draft, texts, checks, focusKey, onFocus, onSet, onText } = props;
  const text = texts[spec.key];
  const isEditing = text !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const isFocused = focusKey === spec.key;
  const isChanged = spec.key in draft;
  const evidence = evidenceOf(line, spec);
  const failing = checks.find(({ isHolding, fields }) => !isHolding && fields.includes(spec.key));
  const rivals = isFocused ? rivalsOf(spec.key, read, facts) : [];
  useEffect(() => {
    if (isFocused && !isEditing && document.activeElement !== button.current)
      button.current?.focus({ preventScroll: false });
    // The row grows when it has the focus: all of it must be seen.
    if (isFocused) row.current?.scrollIntoView({ block: "nearest" });
  }, [isFocused, isEditing]);
  const take = (next: Facts[string]) => onSet(spec.key, next === read[spec.key] ? undefined : next);
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onFocus(neighbour(spec.key, step));
    }
    const rival = /^[1-9]$/.test(event.key) ? rivals[Number(event.key) - 1] : undefined;
    if (rival !== undefined) {
      event.preventDefault();
      take(rival.value);
    }
  };
  const value = showValue(spec, facts[spec.key]);
  return (
    <div
      ref={row}
      className={`border-l-2 ${isFocused ? "border-accent bg-accent-tint" : "border-transparent"}`}
    >
      <div className="flex min-h-[30px] items-center gap-2 pl-[14px] pr-4 max-md:min-h-10">
        <span className="w-[104px] shrink-0 text-text-2">{spec.label}</span>
        {isEditing ? (
          <FieldInput
            spec={spec}
            text={text}
            isFocused={isFocused}
            onText={(next) => onText(spec.key, next)}
            onFocus={() => onFocus(spec.key)}
            onKeep={(next, { movesOn }) => {
              take(next);
              if (movesOn) onFocus(neighbour(spec.key, 1));
            }}
          />
        ) : (
          <button
            ref={button}
            type="button"
            data-field={spec.key}
            aria-label={spokenOf(spec, value, evidence)}
            aria-current={isFocused || undefined}
            onFocus={() => onFocus(spec.key)}
            onKeyDown={onKey}
            onClick={() =>
              isFocused ? onText(spec.key, toInput(facts[spec.key])) : onFocus(spec.key)
            }
            className="flex min-w-0 flex-1 items-center gap-2 rounded-key text-left focus-visible:outline-none"
          >
            <span
              className={`min-w-0 font-medium ${isFocused ? "break-words" : "truncate"} ${failing ? "text-failed" : value === "–" ? "text-text-3" : ""}`}
            >
              {value}
            </span>
            {isChanged && read[spec.key] != null && (
              <s className="truncate text-text-3">{showValue(spec, read[spec.key])}</s>
            )}
          </button>
        )}
        <span className="flex w-[72px] shrink-0 items-center justify-end">
          {isChanged ? (
            <span className="text-label text-text-2">edited</span>
          ) : (
            evidence?.confidence != null && <Confidence value={evidence.confidence} />
          )}
        </span>
      </div>
      {isFocused && (
        <div className="pb-1.5 pl-[126px] pr-4">
          {rivals.length > 1 && <Rivals spec={spec} rivals={rivals} onTake={take} />}
          <p className="text-label text-text-2">{placeOf(evidence, facts[spec.key])}</p>
        </div>
      )}
    </div>
  );
}

/** Other ways to read the value, each with the digit that takes it. */
function Rivals({
  spec,
  rivals,
  onTake,
}: {
  spec: FieldSpec;
  rivals: ReturnType<typeof rivalsOf>;
  onTake: (value: Facts[string]) => void;
}) {
  return rivals.map((rival, index) => (
    <button
      key={String(rival.value)}
      type="button"
      tabIndex={-1}
      onClick={() => onTake(rival.value)}
      className="flex w-full items-center gap-2 rounded-key py-0.5 text-left text-label hover:bg-surface"
    >
      <Key>{index + 1}</Key>
      <span className="tabular font-medium">{showValue(spec, rival.value)}</span>
      <span className="truncate text-text-2">{rival.why}</span>
    </button>
  ));
}

/** What a screen reader says of a field. */
function spokenOf(spec: FieldSpec, value: string, evidence: ReturnType<typeof evidenceOf>): string {
  const confidence = evidence?.confidence;
  const percent = confidence == null ? "" : `, ${toPercent(confidence)} percent`;
  const page = evidence?.source ? `, page ${evidence.source.page}` : "";
  return `${spec.label}, ${value}${percent}${page}`;
}

function placeOf(
  evidence: ReturnType<typeof evidenceOf>,
  value: Facts[string] | undefined,
): string {
  if (value === null || value === undefined) return "Not found on the note";
  if (!evidence?.source) return "Computed, not printed";
  if (evidence.isGrounded === false) return "Not printed where it was read";
  return evidence.source.box
    ? `Page ${evidence.source.page}, “${evidence.source.text ?? evidence.value}”`
    : `On page ${evidence.source.page}, place unknown`;
}

/** Text that makes no sense yet stays in its field, even if the reader is called away. */
function FieldInput({
  spec,
  text,
  isFocused,
  onText,
  onFocus,
  onKeep,
}: {
  spec: FieldSpec;
  text: string;
  isFocused: boolean;
  onText: (text: string | undefined) => void;
  onFocus: () => void;
  onKeep: (value: Facts[string], after: { movesOn: boolean }) => void;
}) {
  const understood = understand(spec, text);
  const echo = understood.isValid ? showValue(spec, understood.value) : null;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isFocused || document.activeElement === input.current) return;
    input.current?.focus();
    input.current?.select();
  }, [isFocused]);
  const isOver = useRef(false);
  const end = (work: () => void) => {
    if (isOver.current) return;
    isOver.current = true;
    work();
  };
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <input
        ref={input}
        aria-label={spec.label}
        aria-invalid={!understood.isValid}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        onFocus={onFocus}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            end(() => onText(undefined));
          }
          if ((event.key === "Enter" || event.key === "Tab") && understood.isValid) {
            event.preventDefault();
            end(() => onKeep(understood.value, { movesOn: true }));
          }
        }}
        onBlur={() => understood.isValid && end(() => onKeep(understood.value, { movesOn: false }))}
        className="h-7 min-w-0 flex-1 rounded-control border-2 border-accent bg-surface px-1.5 font-medium outline-none aria-invalid:border-failed"
      />
      <span
        role="status"
        className={`truncate text-label ${understood.isValid ? "text-text-2" : "text-failed"}`}
      >
        {understood.isValid ? (echo === text || echo === "–" ? "" : `= ${echo}`) : understood.why}
      </span>
    </span>
  );
}

function neighbour(key: string, step: number): string {
  const at = FIELDS.findIndex((spec) => spec.key === key);
  return FIELDS[Math.max(0, Math.min(FIELDS.length - 1, at + step))]!.key;
}
