/**
 * Finds the refusals in a source: a denying `throw` or early return, an alternative of a refusing condition, a doubt that
 * is counted, a demand on a token. Each has the text without it, and marks that note in a test run that it was reached.
 */

const DENIALS = /(?:null|false|new Set\(\)|`|"|refuse\(|reply\.code\((?!20))/y;
const HIT = "(globalThis as any).__reached";

export function findRefusals(source) {
  const found = [];
  const add = (at, what, text, marks) => {
    if (isInert(source, at)) return;
    const line = source.slice(0, at).split("\n").length;
    found.push({ line, what, text, marks });
  };
  const replace = (from, to, put) => source.slice(0, from) + put + source.slice(to);

  for (const { index } of source.matchAll(/\bthrow (?=new |[a-z]\w*\()/g)) {
    const mark = { at: index, skip: 6, text: (id) => `${HIT}?.(${id}); throw ` };
    add(index, shown(source, index), replace(index, index + 6, "void "), [blockOf(source, mark)]);
  }
  for (const { index } of source.matchAll(/\breturn /g)) {
    if (!isEarly(source, index)) continue;
    const mark = { at: index, skip: 7, text: (id) => `return ${HIT}?.(${id}), ` };
    // The whole statement goes: `void reply.code(401).send()` would still refuse.
    add(index, shown(source, index), replace(index, endOfStatement(source, index), ";"), [mark]);
  }
  for (const match of source.matchAll(
    /\b(missing|wrong|doubts|reasons|objections|rejected)\.push\(/g,
  )) {
    const end = match.index + match[0].length;
    const mark = { at: match.index, skip: 0, text: (id) => `${HIT}?.(${id}), ` };
    if (source.slice(0, match.index).endsWith(".")) continue;
    add(match.index, shown(source, match.index), replace(match.index, end, "void ("), [mark]);
  }
  for (const { index } of source.matchAll(/\bcontinue;/g)) {
    const mark = { at: index, skip: 9, text: (id) => `{ ${HIT}?.(${id}); continue; }` };
    add(index, "continue", replace(index, index + 9, "void 0;"), [mark]);
  }
  for (const { from, to } of demandsOf(source)) {
    const part = source.slice(from, to).trim().replaceAll(/\s+/g, " ");
    const marks = [
      { at: from, skip: 0, text: () => " (" },
      { at: to, skip: 0, text: (id) => ` || (${HIT}?.(${id}), false)) ` },
    ];
    add(from + 1, `without ${part}`, replace(from, to, " true "), marks);
  }
  for (const condition of conditionsOf(source)) {
    for (const { from, to } of condition) {
      const part = source.slice(from, to).trim().replaceAll(/\s+/g, " ");
      const mark = [
        { at: from, skip: 0, text: () => "(" },
        { at: to, skip: 0, text: (id) => ` && (${HIT}?.(${id}), true))` },
      ];
      add(from, `without ${part}`, replace(from, to, "false"), mark);
    }
  }
  for (const match of source.matchAll(/^ +(algorithms|audience|issuer|requiredClaims): .*,\n/gm)) {
    const mark = { at: match.index, skip: 0, text: (id) => `...(${HIT}?.(${id}), {}),\n` };
    const [from, to] = [match.index, match.index + match[0].length];
    add(from + 1, `without ${match[1]}`, replace(from, to, ""), [mark]);
  }
  return found;
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

/** A marked `throw` becomes two statements, which need braces behind an `if` without a block. */
function blockOf(source, mark) {
  const end = endOfStatement(source, mark.at);
  const statement = source.slice(mark.at + mark.skip, end);
  return {
    at: mark.at,
    skip: end - mark.at,
    text: (id) => `{ ${mark.text(id)}${statement} }`,
  };
}

function endOfStatement(source, from) {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    if ("([{".includes(source[at])) depth += 1;
    if (")]}".includes(source[at])) depth -= 1;
    if (source[at] === ";" && depth === 0) return at + 1;
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
