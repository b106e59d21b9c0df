/**
 * Finds the refusals in a source: a denying `throw`, return or answer, a ternary that denies, each part of a condition, what
 * a filter or a search demands, a doubt that is counted, a demand on a token or on a body. Each is a part of the source
 * with what to write before and after it, which makes it a switch: `isOff(id)` is asked where the refusal would happen,
 * and if the answer is true, it does not.
 */
import ts from "typescript";

const { SyntaxKind } = ts;
const isOff = (id) => `(globalThis as any).isOff?.(${id})`;

const SWITCHES = {
  skipped: [(id) => `{ if (!${isOff(id)}) `, () => " }"],
  notCalled: [(id) => `(${isOff(id)} || `, () => ")"],
  holds: [(id) => `(${isOff(id)} ? true : (`, () => "))"],
  fails: [(id) => `(${isOff(id)} ? false : (`, () => "))"],
  takesAll: [(id) => `${isOff(id)} ? () => true : (`, () => ")"],
  leftOut: [(id) => `...(${isOff(id)} ? {} : {`, () => "})"],
  empty: [(id) => `(${isOff(id)} ? [] : (`, () => "))"],
};

export function findRefusals(source) {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, [before, after], what = "") => {
    const from = node.getStart(file);
    const line = file.getLineAndCharacterOfPosition(from).line + 1;
    const text = source.slice(from, node.end).replaceAll(/\s+/g, " ").slice(0, 90);
    found.push({ line, what: `${what}${text}`, from, to: node.end, before, after });
  };
  const visit = (node) => {
    if (isNoCheck(node)) return;
    for (const find of FINDERS) find(node, add);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort((one, other) => one.from - other.from);
}

/** The source with all its refusals as switches. */
export function withSwitches(source, refusals) {
  const length = ({ from, to }) => to - from;
  const outerFirst = refusals.toSorted((one, other) => length(other) - length(one));
  const opening = outerFirst.map(({ id, from, before }) => ({ at: from, text: before(id) }));
  const closing = outerFirst.toReversed().map(({ id, to, after }) => ({ at: to, text: after(id) }));
  const insertions = [...closing, ...opening].sort((one, other) => one.at - other.at);
  let [result, from] = ["", 0];
  for (const { at, text } of insertions) {
    result += source.slice(from, at) + text;
    from = at;
  }
  return result + source.slice(from);
}

const FINDERS = [
  function thrown(node, add) {
    if (ts.isThrowStatement(node)) add(node, SWITCHES.skipped);
  },
  function returned(node, add) {
    if (!ts.isReturnStatement(node)) return;
    const isDenied = node.expression === undefined || isDenial(node.expression);
    if (isDenied && !(isAtEnd(node) && isPlain(node.expression))) add(node, SWITCHES.skipped);
  },
  function leftLoop(node, add) {
    const isLeft = ts.isContinueStatement(node) || ts.isBreakStatement(node);
    if (isLeft && !ts.isCaseClause(node.parent)) add(node, SWITCHES.skipped);
  },
  /** `if (isProven) return evidence;` in a function that denies at its end, and `if (isBad) reply.code(400)`. */
  function condition(node, add) {
    if (!ts.isIfStatement(node)) return;
    const [first] = ts.isBlock(node.thenStatement)
      ? node.thenStatement.statements
      : [node.thenStatement];
    if (first !== undefined && ts.isExpressionStatement(first) && isRefusingReply(first.expression))
      add(node.expression, SWITCHES.fails, "without ");
    const isProof = first !== undefined && ts.isReturnStatement(first) && first.expression;
    if (isProof && !isDenial(first.expression) && endsInDenial(node) && !isAll(node.expression))
      add(node.expression, SWITCHES.holds, "always ");
  },
  function ternary(node, add) {
    if (!ts.isConditionalExpression(node)) return;
    const [isYes, isNo] = [isDenial(node.whenTrue), isDenial(node.whenFalse)];
    if (isYes && !isNo) add(node.condition, SWITCHES.fails, "never ");
    if (isNo && !isYes && !isAll(node.condition)) add(node.condition, SWITCHES.holds, "always ");
  },
  function operand(node, add) {
    const { parent } = node;
    if (!ts.isExpression(node) || !ts.isBinaryExpression(parent) || node === parent.operatorToken)
      return;
    const operator = parent.operatorToken.kind;
    // Of `a && b && c` the parts are a, b and c.
    const isChain = ts.isBinaryExpression(node) && node.operatorToken.kind === operator;
    if (isChain || ts.isObjectLiteralExpression(node)) return;
    if (operator === SyntaxKind.AmpersandAmpersandToken) add(node, SWITCHES.holds, "without ");
    if (operator === SyntaxKind.BarBarToken) add(node, SWITCHES.fails, "without ");
  },
  /** `isNear = (a, b) => distance(a, b) < NEAR` */
  function predicate(node, add) {
    const owner = ts.isReturnStatement(node) && isAtEnd(node) ? node.parent.parent : node;
    const result = ts.isArrowFunction(node) ? node.body : node.expression;
    const name = (owner.name ?? owner.parent?.name)?.getText() ?? "";
    if (ts.isFunctionLike(owner) && /^(?:is|has)[A-Z]/.test(name) && isComparison(result))
      add(result, SWITCHES.holds, "always ");
  },
  function searched(node, add) {
    if (!ts.isCallExpression(node) || !/^(?:filter|find|some|every)$/.test(calledName(node)))
      return;
    const isMethod = ts.isPropertyAccessExpression(node.expression) && node.arguments.length === 1;
    if (isMethod && !isAll(node.arguments[0].body))
      add(node.arguments[0], SWITCHES.takesAll, `${calledName(node)} any, not `);
  },
  function counted(node, add) {
    if (!ts.isCallExpression(node)) return;
    const name = calledName(node);
    const isDoubt = name === "push" && DOUBTS.test(node.expression.expression.getText());
    if (isDoubt || /^assert[A-Z]/.test(name)) add(node, SWITCHES.notCalled);
  },
  /** `[...objections, ...doubts]` */
  function joined(node, add) {
    if (!ts.isSpreadElement(node) || !ts.isArrayLiteralExpression(node.parent)) return;
    const { parent } = node.parent;
    const isReturned = ts.isReturnStatement(parent);
    if (isReturned || (parent.name && DOUBTS.test(parent.name.getText())))
      add(node.expression, SWITCHES.empty, "without ");
  },
  function demanded(node, add) {
    const isOption = ts.isPropertyAssignment(node) && DEMANDS.test(node.name.getText());
    if (isOption && ts.isObjectLiteralExpression(node.parent))
      add(node, SWITCHES.leftOut, "without ");
  },
  function refined(node, add) {
    if (!ts.isCallExpression(node) || !REFINEMENTS.test(calledName(node))) return;
    const schema = node.expression.expression?.getText();
    if (!schema?.startsWith("z.")) return;
    const loose = [(id) => `(${isOff(id)} ? ${schema} : `, () => ")"];
    add(node, loose, `without ${calledName(node)} of `);
  },
];

const DOUBTS = /^(?:missing|wrong|doubts|reasons|objections|unclear|judged\.rejected)$/;
const DEMANDS = /^(?:algorithms|audience|issuer|requiredClaims)$/;
const REFINEMENTS = /^(?:min|max|length|regex|refine|check|startsWith|endsWith|positive|int)$/;
/** Words that say no. */
const DENIALS = new Set([
  "different",
  "unclear",
  "bad",
  "none",
  "not-a-collection",
  "too-many-items",
]);

function isDenial(node) {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isAsExpression(node))
    return isDenial(node.expression);
  if (ts.isConditionalExpression(node)) return isDenial(node.whenTrue) && isDenial(node.whenFalse);
  if (ts.isStringLiteral(node)) return node.text.includes(" ") || DENIALS.has(node.text);
  if (ts.isTemplateLiteral(node)) return true;
  if (ts.isNumericLiteral(node)) return node.text === "0";
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isDenial);
  if (ts.isNewExpression(node)) return node.getText() === "new Set()";
  if (ts.isCallExpression(node))
    return DENYING_CALL.test(calledName(node)) || isRefusingReply(node);
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isNothing) || isNo(node);
  return (
    [SyntaxKind.NullKeyword, SyntaxKind.FalseKeyword].includes(node.kind) ||
    node.getText() === "undefined"
  );
}

const DENYING_CALL = /^(?:refuse|none|ask)$/;
const isNothing = (property) =>
  property.initializer !== undefined && isDenial(property.initializer);
const NO = /^(?:problem: .*|(?:kind|state|method): "(?:refused|ask|none|review|gone)"|score: 0)$/s;
const isNo = ({ properties }) => properties.some((property) => NO.test(property.getText()));
const isRefusingReply = (node) => /\breply\s*\.code\([45]/.test(node.getText());
/** Of `a && b` each part is tried by itself. */
const isAll = (node) =>
  node !== undefined &&
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;

const isComparison = (node) =>
  node !== undefined && ts.isBinaryExpression(node) && COMPARES.test(node.operatorToken.getText());
const COMPARES = /^(?:[!=]==|[<>]=?)$/;

/** What asserts that we made no mistake, which no test can cause; and what only sorts. */
const isNoCheck = (node) =>
  (ts.isCallExpression(node) && node.expression.getText() === "assert") ||
  (ts.isArrowFunction(node) &&
    ts.isCallExpression(node.parent) &&
    calledName(node.parent) === "sort");

function calledName({ expression }) {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/** What a caller cannot tell from undefined, or what is wrong about a text or a number. */
const isPlain = (node) =>
  node === undefined ||
  (node.kind !== SyntaxKind.NullKeyword && !ts.isCallExpression(node) && !ts.isNewExpression(node));

/** Whether a statement is the last one of its function, so that without it undefined is returned. */
function isAtEnd(node) {
  const { parent } = node;
  return (
    ts.isBlock(parent) && ts.isFunctionLike(parent.parent) && parent.statements.at(-1) === node
  );
}

function endsInDenial(node) {
  const body = ts.findAncestor(node, (one) => ts.isBlock(one) && ts.isFunctionLike(one.parent));
  const last = body?.statements.at(-1);
  if (last === undefined) return false;
  if (ts.isThrowStatement(last)) return true;
  const denied = ts.isReturnStatement(last) && last.expression;
  if (!denied) return false;
  return ts.isConditionalExpression(denied)
    ? isDenial(denied.whenTrue) || isDenial(denied.whenFalse)
    : isDenial(denied);
}
