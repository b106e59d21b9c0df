/** Chooses the row to save to: suggested, recent, searched or new. */
import { useEffect, useState } from "react";
import type { FoundPlace, Server } from "./server.ts";
import type { Words } from "./words.ts";

export interface PlacePickerProps {
  readonly server: Server;
  readonly places: { readonly recent: FoundPlace[]; readonly suggested: FoundPlace[] };
  readonly place: FoundPlace | null;
  readonly words: Words;
  readonly isBusy: boolean;
  readonly onPlace: (place: FoundPlace) => void;
}

const PAUSE_MS = 250;

export function PlacePicker({ server, places, place, words, isBusy, onPlace }: PlacePickerProps) {
  const [query, setQuery] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const text = query.trim();
  const found = useFoundPlaces(server, text, setProblem);

  const create = () => {
    setProblem(null);
    server.create(text).then(
      (made) => {
        onPlace(made);
        setQuery("");
      },
      (error: Error) => setProblem(error.message),
    );
  };

  const groups: [string, readonly FoundPlace[]][] =
    found === null
      ? [
          [words.suggested, places.suggested],
          [words.recent, without(places.recent, places.suggested)],
        ]
      : [[words.found, found]];
  const shown = groups.flatMap(([, each]) => each);
  const isElsewhere = place !== null && !shown.some((each) => keyOf(each) === keyOf(place));
  return (
    <fieldset disabled={isBusy}>
      <legend>{words.where}</legend>
      <input
        type="search"
        value={query}
        placeholder={words.search}
        aria-label={words.search}
        onChange={(event) => setQuery(event.target.value)}
      />
      {isElsewhere && <Option place={place} words={words} isChosen onPlace={onPlace} />}
      {groups.map(([name, each]) =>
        each.length === 0 ? null : (
          <div key={name} role="group" aria-label={name}>
            <h2>{name}</h2>
            {each.map((one) => (
              <Option
                key={keyOf(one)}
                place={one}
                words={words}
                isChosen={place !== null && keyOf(place) === keyOf(one)}
                onPlace={onPlace}
              />
            ))}
          </div>
        ),
      )}
      {found?.length === 0 && <p>{words.nothingFound}</p>}
      {found !== null && text.length >= 2 && (
        <button type="button" onClick={create}>
          {words.create.replace("{}", () => text)}
        </button>
      )}
      {problem !== null && <p role="alert">{problem}</p>}
    </fieldset>
  );
}

/** Searches once the typing pauses; null while the text is too short to search for. */
function useFoundPlaces(
  server: Server,
  text: string,
  onProblem: (message: string) => void,
): FoundPlace[] | null {
  const [found, setFound] = useState<FoundPlace[] | null>(null);
  useEffect(() => {
    if (text.length < 2) {
      setFound(null);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      server.search(text, stop.signal).then(setFound, (error: Error) => {
        if (!stop.signal.aborted) onProblem(error.message);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [server, text, onProblem]);
  return found;
}

function Option({
  place,
  words,
  isChosen,
  onPlace,
}: Pick<PlacePickerProps, "words" | "onPlace"> & {
  readonly place: FoundPlace;
  readonly isChosen: boolean;
}) {
  return (
    <label>
      <input type="radio" name="place" checked={isChosen} onChange={() => onPlace(place)} />
      <span>{place.name}</span>
      <small>{place.info ?? words.kinds[place.entityType] ?? place.entityType}</small>
    </label>
  );
}

function keyOf({ entityType, id }: FoundPlace): string {
  return `${entityType}:${id}`;
}

function without(places: readonly FoundPlace[], others: readonly FoundPlace[]): FoundPlace[] {
  const known = new Set(others.map(keyOf));
  return places.filter((each) => !known.has(keyOf(each)));
}
