import { useState } from "react";
import { SearchBox } from "./field.tsx";
import { Icon } from "./icon.tsx";

export interface FilterChoice {
  readonly key: string;
  readonly label: string;
  readonly value: string | undefined;
  /** Without options the value is typed. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** The value is a day. */
  readonly isDay?: boolean;
}

/** A text box and a chip for each filter that is set; "Filter" adds one. */
export function FilterBar({
  searchLabel,
  text,
  onText,
  filters,
  onFilter,
  children,
}: {
  searchLabel?: string;
  text?: string;
  onText?: (text: string) => void;
  filters: readonly FilterChoice[];
  onFilter: (key: string, value: string | undefined) => void;
  children?: React.ReactNode;
}) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const isShown = ({ key, value }: FilterChoice) => value !== undefined || added.includes(key);
  const left = filters.filter((filter) => !isShown(filter));
  return (
    <div
      role="search"
      className="flex shrink-0 flex-wrap items-center gap-2 border-border border-b px-4 py-2 md:px-6"
    >
      {onText && <SearchBox label={searchLabel ?? "Search"} value={text ?? ""} onChange={onText} />}
      {filters.filter(isShown).map((filter) => (
        <Chip
          key={filter.key}
          filter={filter}
          onSet={(value) => onFilter(filter.key, value)}
          onRemove={() => {
            setAdded(added.filter((key) => key !== filter.key));
            onFilter(filter.key, undefined);
          }}
        />
      ))}
      {left.length > 0 && (
        <span className="relative inline-flex h-7 items-center gap-1.5 rounded-control border border-control border-dashed px-2 text-text-2 focus-within:outline-2 focus-within:outline-accent hover:bg-sunken">
          <Icon name="plus" size={14} />
          Filter
          <select
            aria-label="Add a filter"
            value=""
            onChange={(event) => setAdded([...added, event.target.value])}
            className="absolute inset-0 cursor-pointer opacity-0"
          >
            <option value="" disabled>
              Filter by
            </option>
            {left.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </span>
      )}
      <span className="flex-1" />
      {children}
    </div>
  );
}

function Chip({
  filter: { label, value, options, isDay = false },
  onSet,
  onRemove,
}: {
  filter: FilterChoice;
  onSet: (value: string | undefined) => void;
  onRemove: () => void;
}) {
  const look = "h-full min-w-0 max-w-48 truncate rounded-key bg-transparent font-medium text-text";
  return (
    <span className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-control border border-border bg-surface pl-2 text-text-2">
      {label}
      {options ? (
        <select
          aria-label={label}
          value={value ?? ""}
          onChange={(event) => onSet(event.target.value || undefined)}
          className={look}
        >
          <option value="">any</option>
          {value !== undefined && !options.some(([key]) => key === value) && (
            <option value={value}>{value}</option>
          )}
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          key={value}
          type={isDay ? "date" : "text"}
          aria-label={label}
          defaultValue={value ?? ""}
          size={Math.max(8, Math.min(24, (value ?? "").length))}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
          onBlur={(event) => onSet(event.target.value.trim() || undefined)}
          className={look}
        />
      )}
      <button
        type="button"
        aria-label={`Remove the filter ${label}`}
        onClick={onRemove}
        className="grid h-full w-7 place-items-center rounded-control hover:bg-sunken"
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}
