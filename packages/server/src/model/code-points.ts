/*
 * Positions in texts are counted in Unicode code points where clients see them, and strings in UTF-16 units. All texts here
 * are well-formed: each pair of surrogates is one code point.
 */

/** The length of a text in code points. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let unit = 0; unit < text.length; unit += 1) if (startsPair(text, unit)) pairs += 1;
  return text.length - pairs;
}

/** The UTF-16 unit that is `count` code points after the unit `from`, or the text's end. */
export function unitAfter(text: string, count: number, from = 0): number {
  let unit = from;
  for (let left = count; left > 0 && unit < text.length; left -= 1) unit += startsPair(text, unit) ? 2 : 1;
  return unit;
}

function startsPair(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xd800;
}
