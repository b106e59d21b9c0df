/**
 * Renders the few expressions of Go's templates that our chart uses, because Helm is not among the packages that tests
 * can install. It throws on every other expression.
 */
import { createHash } from "node:crypto";
import { stringify } from "yaml";

type Scope = Readonly<Record<string, unknown>>;

/** The text of one template. */
export function render(template: string, scope: Scope): string {
  const parts = template.split(/(\s*\{\{-[^}]*\}\}|\{\{[^}]*\}\})/);
  const shown: boolean[] = [true];
  let text = "";
  for (const part of parts) {
    const [, action] = /^\s*\{\{-? ([^}]*?) \}\}$/.exec(part) ?? [];
    if (action?.startsWith("if ")) shown.push(shown.at(-1)! && isTrue(action.slice(3), scope));
    else if (action === "end") shown.pop();
    else if (shown.at(-1)) text += action === undefined ? part : String(evaluate(action, scope));
  }
  if (shown.length !== 1) throw new Error("an if without its end");
  return text;
}

const isTrue = (condition: string, scope: Scope): boolean =>
  condition.startsWith("not ")
    ? !isTrue(condition.slice(4), scope)
    : Boolean(evaluate(condition, scope));

function evaluate(pipeline: string, scope: Scope): unknown {
  const [first, ...more] = pipeline.split(" | ");
  const begin = first!.startsWith("toYaml ")
    ? call("toYaml", look(first!.slice("toYaml ".length), scope))
    : look(first!, scope);
  return more.reduce((value, name) => call(name, value), begin);
}

/** `.Values.a.b`; a value that does not exist is a mistake in the template. */
function look(path: string, scope: Scope): unknown {
  if (!/^(?:\.\w+)+$/.test(path)) throw new Error(`not an expression that we know: ${path}`);
  const value = path
    .slice(1)
    .split(".")
    .reduce<unknown>((at, name) => (at as Scope | undefined)?.[name], scope);
  if (value === undefined) throw new Error(`there is no ${path}`);
  return value;
}

function call(name: string, value: unknown): unknown {
  if (name === "quote") return JSON.stringify(String(value));
  if (name === "toYaml") return stringify(value).trimEnd();
  if (name === "nindent 2") return `\n${String(value).replaceAll(/^/gm, "  ")}`;
  if (name === "sha256sum") return createHash("sha256").update(String(value)).digest("hex");
  if (name === "toJson") return goJson(value as Scope);
  throw new Error(`not a function that we know: ${name}`);
}

const goJson = (map: Scope): string =>
  JSON.stringify(Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))))
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026");
