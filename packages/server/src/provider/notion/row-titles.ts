/**
 * The letter that comes closest to dividing titles in halves, those that have it and those that have not; null where
 * all titles have the same letters. `except` are letters that were tried.
 */
export function dividingLetter(titles: readonly string[], except: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const title of titles) {
    for (const letter of new Set(title.toLowerCase())) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  let best: string | null = null;
  let distance = titles.length / 2;
  for (const [letter, count] of counts) {
    const away = Math.abs(count - titles.length / 2);
    if (away >= distance || except.includes(letter) || /\s/.test(letter)) continue;
    best = letter;
    distance = away;
  }
  return best;
}
