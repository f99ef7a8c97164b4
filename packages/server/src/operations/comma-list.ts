/**
 * The known words that a comma list names, in the order in which they are known; undefined where no list was given.
 * That it names no others is the schema's business.
 */
export function parseCommaList<Word extends string>(
  list: string | undefined,
  known: readonly Word[],
): Word[] | undefined {
  const named = list?.split(",");
  return named && known.filter((word) => named.includes(word));
}
