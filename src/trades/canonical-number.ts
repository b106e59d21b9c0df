/** The same number always as the same text: no exponent, no trailing zeros, eight decimals at most. */
export function canonicalNumber(value: number): string {
  const fixed = value.toFixed(8);
  return fixed.replace(/\.?0+$/, "");
}
