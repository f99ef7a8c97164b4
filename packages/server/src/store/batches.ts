/** Cuts a list into lists of at most `size`: a statement takes a bounded number of parameters. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
