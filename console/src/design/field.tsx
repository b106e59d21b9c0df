import { type ComponentProps, type ReactNode, useId } from "react";
import { Icon } from "./icon.tsx";

const CONTROL =
  "h-8 w-full rounded-control border border-control bg-surface px-2.5 text-body text-text aria-invalid:border-failed disabled:opacity-50";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: ReactNode;
  error?: string | null;
}

/** A labelled input that says what is wrong where it is wrong. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="mb-3">
      <label htmlFor={id} className="mb-1 block text-label font-medium text-text-2">
        {label}
      </label>
      <input
        id={id}
        className={CONTROL}
        aria-invalid={Boolean(error)}
        aria-describedby={`${id}-note`}
        {...input}
      />
      <p id={`${id}-note`} className={`mt-1 text-label ${error ? "text-failed" : "text-text-3"}`}>
        {error ?? hint}
      </p>
    </div>
  );
}

export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="mb-3">
      <label htmlFor={id} className="mb-1 block text-label font-medium text-text-2">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          className={`${CONTROL} appearance-none truncate pr-8`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
        <Icon
          name="chevron"
          size={14}
          className="pointer-events-none absolute right-2.5 top-[9px] rotate-90 text-text-2"
        />
      </div>
    </div>
  );
}

export function SearchBox({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <div className="relative w-full max-w-56">
      <Icon name="search" size={14} className="absolute left-2.5 top-2 text-text-3" />
      <input
        type="search"
        data-shortcut="/"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-7 w-full rounded-control border border-control bg-surface pl-8 pr-2 text-body"
      />
    </div>
  );
}
