/** ISO 8601 durations as the management API writes them: `PT1M`, `P7D`, `P10675199DT2H48M5.4775807S`. */

/** .NET's longest time span; it stands for "forever". */
const FOREVER = "P10675199DT2H48M5.4775807S";
const UNITS = [86_400_000, 3_600_000, 60_000, 1_000] as const;

export function writeDuration(ms: number): string {
  if (!Number.isFinite(ms)) return FOREVER;
  let rest = ms;
  const [days, hours, minutes] = UNITS.slice(0, 3).map((unit) => {
    const whole = Math.floor(rest / unit);
    rest -= whole * unit;
    return whole;
  });
  const seconds = rest / 1000;
  const time = [
    hours ? `${hours}H` : "",
    minutes ? `${minutes}M` : "",
    seconds || (!days && !hours && !minutes) ? `${seconds}S` : "",
  ].join("");
  return `P${days ? `${days}D` : ""}${time ? `T${time}` : ""}`;
}

/** Milliseconds, Infinity for the longest span, or null if the text is not a duration. */
export function readDuration(text: string): number | null {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (parts === null || text === "P" || text.endsWith("T")) return null;
  if (Number(parts[1] ?? 0) >= 10_675_199) return Number.POSITIVE_INFINITY;
  return UNITS.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0);
}
