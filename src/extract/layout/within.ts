/** Returns the values on the lines of a block; `values` must be sorted by line. */
export function within<T extends { line: number }>(
  values: readonly T[],
  from: number,
  to: number,
): T[] {
  const out: T[] = [];
  for (let at = firstFrom(values, from); at < values.length && values[at]!.line < to; at++)
    out.push(values[at]!);
  return out;
}

function firstFrom(values: readonly { line: number }[], line: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
