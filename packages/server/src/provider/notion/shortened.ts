/** The most code points of a title, an alias or the name of a property. */
export const maximumTitle = 2000;

/** A text of at most so many code points. Where that cuts it, it ends with an ellipsis. */
export function shortened(text: string, maximum = maximumTitle): string {
  // No text has more code points than code units.
  if (text.length <= maximum) return text;
  let kept = 0;
  let count = 0;
  for (const character of text) {
    count += 1;
    if (count > maximum) return `${text.slice(0, kept)}…`;
    if (count < maximum) kept += character.length;
  }
  return text;
}
