/** A text on one line: each run of white space becomes a space, and none is at either end. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
