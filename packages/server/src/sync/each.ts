/**
 * Does some work for every item, at most `atOnce` at a time. `items` may grow meanwhile. Once one fails no other is
 * begun, and its error is thrown when those under way have ended.
 */
export async function each<T extends NonNullable<unknown>>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const worker = async () => {
    while (failures.length === 0) {
      const item = items[next];
      if (item === undefined) return;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
