/** Writes equal numbers as equal text: no exponent, no trailing zeros, at most eight decimals. */
export function canonicalNumber(value: number): string {
  const fixed = value.toFixed(8);
  return fixed.replace(/\.?0+$/, "");
}
