/** A line of a page's text whose content is prose: neither code nor an equation, where nothing is markup. */
export interface Line {
  /** The tabs that it begins with: one for each level of nesting. */
  readonly indent: string;
  readonly text: string;
  /** Its number in the whole text, counted from 0. */
  readonly number: number;
}

const fence = /^(`{3,}(?=[^`]*$)|~{3,}|\$\$(?=\s*$))/;

/**
 * The lines of a page's text that are prose. The provider writes one block a line and its children one tab deeper,
 * which CommonMark would take for code; so lines and tabs come first.
 */
export function* proseLines(markdown: string): Generator<Line> {
  let open: { marker: string; depth: number } | null = null;
  let number = -1;
  for (const whole of markdown.split("\n")) {
    number += 1;
    const text = whole.replace(/^\t+/, "");
    const indent = whole.slice(0, whole.length - text.length);
    const marker = fence.exec(text)?.[1];
    if (open !== null) {
      if (closes(text, indent.length, open)) open = null;
    } else if (marker !== undefined) {
      open = { marker, depth: indent.length };
    } else if (text !== "") {
      yield { indent, text, number };
    }
  }
}

/** A fence is closed by one of its kind that is at least as long, no deeper, and alone on its line. */
function closes(text: string, depth: number, open: { marker: string; depth: number }): boolean {
  return (
    depth <= open.depth && text.startsWith(open.marker) && isMadeOf(text.trimEnd(), open.marker.charAt(0))
  );
}

function isMadeOf(text: string, character: string): boolean {
  return text === character.repeat(text.length);
}
