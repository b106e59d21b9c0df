import { walk } from "./compare.ts";
import type { Source } from "./filter.ts";

/** A source over JSON values as the service shows them. `check` throws for unknown names. */
export function createJsonSource(check: (name: string) => void = () => {}): Source {
  return {
    field(names) {
      check(names[0] ?? "");
      return { type: null, read: (item) => walk(item, names) };
    },
    collection(names) {
      check(names[0] ?? "");
      return {
        source: createJsonSource(),
        items(item) {
          const value = walk(item, names);
          return Array.isArray(value) ? value : [];
        },
      };
    },
  };
}
