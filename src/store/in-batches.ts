/**
 * Repeats a write that takes at most `limit` rows until it takes fewer, and returns the total. Each
 * batch commits by itself, so none runs into the statement timeout or holds locks for long.
 */
export async function inBatches(
  limit: number,
  write: (limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await write(limit);
    total += count;
    if (count < limit) return total;
  }
}
