/**
 * The owner with the highest number, the first of equals; null without owners. With an evenly distributed number for each pair of a
 * key and an owner, an owner that comes or goes changes only the keys that are its own (rendezvous hashing).
 */
export function highestOwner<Owner>(
  owners: Iterable<Owner>,
  numberOf: (owner: Owner) => number,
): Owner | null {
  let found: Owner | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const owner of owners) {
    const number = numberOf(owner);
    if (number > highest) [found, highest] = [owner, number];
  }
  return found;
}
