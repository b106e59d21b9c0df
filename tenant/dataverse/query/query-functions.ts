/** Dataverse's own functions in a filter: `Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=7)`. */
import { compare } from "../../odata/compare.ts";
import type { Call, Operand, Plain } from "../../odata/expression.ts";
import type { Field, Test } from "../../odata/filter.ts";
import { badQuery } from "../core/dataverse-error.ts";
import { countedRange, dayRange, isWithin, namedRange, type Range } from "./date-ranges.ts";

const NAMESPACE = "Microsoft.Dynamics.CRM.";

export interface FunctionWorld {
  readonly nowMs: number;
  readonly userId: string;
  readonly businessUnitId: string;
  /** The property that a function is about; throws if the table has none of that name. */
  field(name: string): Field;
}

/** Null if the name is not one of Dataverse's functions. */
export function compileFunction(call: Call, world: FunctionWorld): Test | null {
  if (!call.name.startsWith(NAMESPACE)) return null;
  const name = call.name.slice(NAMESPACE.length);
  const { read } = world.field(String(argument(call, "PropertyName")));
  const range = rangeOf(call, name, world.nowMs);
  if (range !== null) return (row) => isWithin(range, read(row));
  const test = testOf(call, name, world);
  if (test === null) throw badQuery(`An unknown function with name '${call.name}' was found.`);
  return (row) => test(read(row));
}

function rangeOf(call: Call, name: string, nowMs: number): Range | null {
  const named = namedRange(name, nowMs);
  if (named !== null) return named;
  if (/^(Last|Next|OlderThan)X/.test(name)) {
    return countedRange(name, Number(argument(call, "PropertyValue")), nowMs);
  }
  return /^On(OrAfter|OrBefore)?$/.test(name)
    ? dayRange(name, String(argument(call, "PropertyValue")))
    : null;
}

function testOf(
  call: Call,
  name: string,
  world: FunctionWorld,
): ((value: unknown) => boolean) | null {
  switch (name) {
    case "EqualUserId":
      return (value) => value === world.userId;
    case "NotEqualUserId":
      return (value) => value !== world.userId;
    case "EqualBusinessId":
      return (value) => value === world.businessUnitId;
    case "NotEqualBusinessId":
      return (value) => value !== world.businessUnitId;
    case "In":
    case "NotIn": {
      const values = listArgument(call);
      return (value) => isAmong(value, values) === (name === "In");
    }
    case "Between":
    case "NotBetween": {
      const [low = null, high = null] = listArgument(call);
      return (value) => isBetween(value, low, high) === (name === "Between");
    }
    default:
      return null;
  }
}

function isAmong(value: unknown, values: readonly Plain[]): boolean {
  return values.some((wanted) => compareLoosely(value, wanted) === 0);
}

function isBetween(value: unknown, low: Plain, high: Plain): boolean {
  const [above, below] = [compareLoosely(value, low), compareLoosely(value, high)];
  return above !== null && below !== null && above >= 0 && below <= 0;
}

/** The values of a list arrive as text, whatever the type of the column. */
export function compareLoosely(value: unknown, wanted: Plain): number | null {
  if (typeof value === "number") return compare(value, Number(wanted));
  if (typeof value === "boolean") return compare(value, /^(1|true)$/i.test(String(wanted)));
  return compare(value, wanted);
}

function argument(call: Call, name: string): Plain {
  const operand: Operand | undefined = call.named.get(name);
  if (operand?.kind === "literal") return operand.value;
  throw badQuery(`The function '${call.name}' needs the parameter '${name}'.`);
}

function listArgument(call: Call): readonly Plain[] {
  const operand = call.named.get("PropertyValues");
  if (operand?.kind === "list") return operand.items.map(({ value }) => value);
  throw badQuery(`The function '${call.name}' needs the parameter 'PropertyValues'.`);
}
