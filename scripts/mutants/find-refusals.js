/**
 * Finds the refusals in a source: a denying `throw` or early return, an alternative of a refusing condition, a doubt that
 * is counted, a demand on a token. Each has the insertions that make it a switch: `isOff(id)` is asked where the refusal
 * would happen, and if the answer is true, it does not.
 */

const DENIALS = /(?:null|false|new Set\(\)|`|"|refuse\(|reply\.code\((?!20))/y;
const isOff = (id) => `(globalThis as any).isOff?.(${id})`;

export function findRefusals(source) {
  const found = [];
  const add = (at, what, insertions) => {
    if (isInert(source, at)) return;
    found.push({ line: source.slice(0, at).split("\n").length, what, insertions });
  };
  /** Inserts before and after a part of the source. */
  const around = (from, to, before, after) => [
    { at: from, text: before },
    { at: to, text: after },
  ];
  const unlessOff = (from) =>
    around(
      from,
      endOfStatement(source, from),
      (id) => `{ if (!${isOff(id)}) `,
      () => " }",
    );

  for (const { index } of source.matchAll(/\bthrow (?=new |[a-z]\w*\()/g))
    add(index, shown(source, index), unlessOff(index));
  for (const { index } of source.matchAll(/\breturn /g))
    if (isEarly(source, index)) add(index, shown(source, index), unlessOff(index));
  for (const { index } of source.matchAll(/\bcontinue;/g)) add(index, "continue", unlessOff(index));
  for (const match of source.matchAll(
    /\b(missing|wrong|doubts|reasons|objections|rejected)\.push\(/g,
  )) {
    const from = match.index;
    if (source.slice(0, from).endsWith(".")) continue;
    const to = closing(source, from + match[0].length - 1) + 1;
    const insertions = around(
      from,
      to,
      (id) => `(${isOff(id)} || `,
      () => ")",
    );
    add(from, shown(source, from), insertions);
  }
  for (const { from, to } of demandsOf(source)) {
    const insertions = around(
      from,
      to,
      () => " ((",
      (id) => `) || ${isOff(id)}) `,
    );
    add(from + 1, `without ${partOf(source, from, to)}`, insertions);
  }
  for (const { from, to } of conditionsOf(source).flat()) {
    const insertions = around(
      from,
      to,
      () => "((",
      (id) => `) && !${isOff(id)})`,
    );
    add(from, `without ${partOf(source, from, to)}`, insertions);
  }
  for (const match of source.matchAll(
    /^ +(algorithms|audience|issuer|requiredClaims): .*(?=,\n)/gm,
  )) {
    const insertions = around(
      match.index,
      match.index + match[0].length,
      (id) => `...(${isOff(id)} ? {} : {`,
      () => "})",
    );
    add(match.index + 1, `without ${match[1]}`, insertions);
  }
  return found;
}

/** The source with all its refusals as switches. */
export function withSwitches(source, refusals) {
  const insertions = refusals
    .flatMap(({ id, insertions }) => insertions.map(({ at, text }) => ({ at, text: text(id) })))
    .sort((one, other) => one.at - other.at);
  let [result, from] = ["", 0];
  for (const { at, text } of insertions) {
    result += source.slice(from, at) + text;
    from = at;
  }
  return result + source.slice(from);
}

/** A denial behind a condition, or an answer that refuses. */
function isEarly(source, at) {
  if (/^return (?:refuse\(|reply\.code\([45])/.test(source.slice(at, at + 40))) return true;
  return (
    /\)\s+(?:\{\s+)?$/.test(source.slice(Math.max(0, at - 60), at)) &&
    isDenial(source.slice(at + 7, at + 40))
  );
}

/** What must all hold: the parts of `const isGood = A && B;` and `return A && B;`. */
function demandsOf(source) {
  const demands = [];
  for (const match of source.matchAll(/(?:const (?:is|has)\w+ =|\breturn)\s(?:\s*\(\n)?/g)) {
    const from = match.index + match[0].length - 1;
    const to = endOfStatement(source, match.index) - 1;
    const end = match[0].endsWith("(\n") ? source.lastIndexOf(")", to) : to;
    const text = source.slice(from, end);
    if (!text.includes("&&") || /[?]|=>|await/.test(text)) continue;
    const parts = partsOf(source, from, end, "&&");
    if (parts.length > 1) demands.push(...parts);
  }
  return demands;
}

function endOfStatement(source, from) {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    if ("([{".includes(source[at])) depth += 1;
    if (")]}".includes(source[at])) depth -= 1;
    // A semicolon in a text stands within a line.
    if (depth === 0 && /^;(?:\n| \/\/)/.test(source.slice(at, at + 4))) return at + 1;
  }
  return source.length;
}

/** The alternatives of `if (A || B)` in front of a refusal; a single one is removed with the refusal itself. */
function conditionsOf(source) {
  const conditions = [];
  for (const { index } of source.matchAll(/\bif \(/g)) {
    const open = index + 3;
    const close = closing(source, open);
    const rest = source
      .slice(close + 1)
      .trimStart()
      .replace(/^\{\s*/, "");
    const refuses =
      /^throw |^[^}]*?(?:continue;|return refuse\()/.test(rest) ||
      (/^return /.test(rest) && isDenial(rest.slice("return ".length)));
    const parts = partsOf(source, open + 1, close, "||");
    if (refuses && parts.length > 1) conditions.push(parts);
  }
  return conditions;
}

function isDenial(text) {
  DENIALS.lastIndex = 0;
  return DENIALS.test(text);
}

function closing(source, open) {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    if (source[at] === "(") depth += 1;
    if (source[at] === ")" && --depth === 0) return at;
  }
  return source.length;
}

/** The parts between these operators, outside brackets. */
function partsOf(source, from, to, operator) {
  const parts = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < to; at += 1) {
    if ("([{".includes(source[at])) depth += 1;
    if (")]}".includes(source[at])) depth -= 1;
    if (depth === 0 && source.startsWith(operator, at)) {
      parts.push({ from: start, to: at });
      start = at + 2;
    }
  }
  return [...parts, { from: start, to }];
}

/** Comments, imports and types have no effect at run time. */
function isInert(source, at) {
  const line = source.slice(source.lastIndexOf("\n", at) + 1, source.indexOf("\n", at)).trim();
  return /^(\*|\/|\||import|export type|readonly)/.test(line);
}

const shown = (source, at) => source.slice(at, source.indexOf("\n", at)).trim().slice(0, 90);
const partOf = (source, from, to) => source.slice(from, to).trim().replaceAll(/\s+/g, " ");
