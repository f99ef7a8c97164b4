/** The name that takes the fewest changed, added or left out characters to write in place of another. */
export function nearestName<Name extends string>(
  text: string,
  names: readonly [Name, ...(readonly Name[])],
): Name {
  const [first] = names;
  let nearest: Name = first;
  for (const name of names) if (editDistance(text, name) < editDistance(text, nearest)) nearest = name;
  return nearest;
}

/** Levenshtein distance, a row of its matrix at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
