/** The conditions of a FetchXML filter, by their operators. */
import { countedRange, dayRange, isWithin, namedRange } from "./date-ranges.ts";
import { wrong } from "./fetch-xml.ts";
import { compareLoosely } from "./query-functions.ts";
import { like } from "./wildcards.ts";

export interface ConditionWorld {
  readonly nowMs: number;
  readonly userId: string;
  readonly businessUnitId: string;
}

type Check = (value: unknown) => boolean;

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/** `next-x-days` is `NextXDays`. */
function toFunctionName(operator: string): string {
  return operator
    .replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/-/g, "");
}

/** A test for a column's value; throws for an operator that is not implemented. */
export function compileCondition(
  operator: string,
  values: readonly string[],
  world: ConditionWorld,
): Check {
  const one = () => {
    if (values.length === 1) return values[0]!;
    throw wrong(`The operator '${operator}' needs one value.`);
  };
  const order = ORDERS[operator];
  if (order !== undefined) {
    const wanted = one();
    return (value) => {
      const found = compareLoosely(value, wanted);
      return found !== null && order(found);
    };
  }
  return compileSpecial(operator, values, one, world) ?? compileTime(operator, one, world);
}

function compileSpecial(
  operator: string,
  values: readonly string[],
  one: () => string,
  world: ConditionWorld,
): Check | null {
  const not =
    (check: Check): Check =>
    (value) =>
      !check(value);
  const among: Check = (value) => values.some((wanted) => compareLoosely(value, wanted) === 0);
  switch (operator) {
    case "ne":
    case "neq": {
      const wanted = one();
      return (value) => compareLoosely(value, wanted) !== 0;
    }
    case "null":
      return (value) => value === null;
    case "not-null":
      return (value) => value !== null;
    case "in":
      return among;
    case "not-in":
      return not(among);
    case "like":
      return like(one());
    case "not-like":
      return not(like(one()));
    case "begins-with":
      return like(`${one()}%`);
    case "not-begin-with":
      return not(like(`${one()}%`));
    case "ends-with":
      return like(`%${one()}`);
    case "not-end-with":
      return not(like(`%${one()}`));
    case "between":
    case "not-between": {
      if (values.length !== 2) throw wrong(`The operator '${operator}' needs two values.`);
      const check: Check = (value) =>
        (compareLoosely(value, values[0]!) ?? -1) >= 0 &&
        (compareLoosely(value, values[1]!) ?? 1) <= 0;
      return operator === "between" ? check : not(check);
    }
    case "eq-userid":
      return (value) => value === world.userId;
    case "ne-userid":
      return (value) => value !== world.userId;
    case "eq-businessid":
      return (value) => value === world.businessUnitId;
    case "ne-businessid":
      return (value) => value !== world.businessUnitId;
    default:
      return null;
  }
}

function compileTime(operator: string, one: () => string, { nowMs }: ConditionWorld): Check {
  const name = toFunctionName(operator)
    .replace("LastSevenDays", "Last7Days")
    .replace("NextSevenDays", "Next7Days");
  const range =
    namedRange(name, nowMs) ??
    (/X[A-Z]/.test(name) ? countedRange(name, Number(one()), nowMs) : null) ??
    (/^On(OrAfter|OrBefore)?$/.test(name) ? dayRange(name, one()) : null);
  if (range === null) throw wrong(`The condition operator '${operator}' is not supported.`);
  return (value) => isWithin(range, value);
}
