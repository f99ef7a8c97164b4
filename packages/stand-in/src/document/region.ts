/** What a part of a source becomes, and where that part ends. */
export interface Region {
  readonly text: string;
  readonly end: number;
}

/** What a sticky pattern matches at a place in a text, or a global one from there on. */
export function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

/** Where the next match of a global pattern ends. */
export function endOfMatch(pattern: RegExp, text: string, from: number): number | null {
  const match = matchAt(pattern, text, from);
  return match === null ? null : match.index + match[0].length;
}
