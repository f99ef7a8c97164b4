/** A part of a text. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const fenceAtStart = /^[ \t]*(?:[-*+] )?(`{3,}|~{3,})/;

/**
 * Finds the fenced code of a text, and its code spans if they are wanted. It is a scanner, since a pattern looks for the end of each
 * fence and each run of backticks anew.
 */
function* codeIn(text: string, hasSpans: boolean): Generator<Range> {
  let fence: { readonly start: number; readonly marker: string } | null = null;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end);
    const marker = next === -1 ? undefined : fenceAtStart.exec(line)?.[1];
    if (fence !== null) {
      if (line.trim() === fence.marker) {
        yield { start: fence.start, end };
        fence = null;
      }
    } else if (marker !== undefined) fence = { start, marker };
    else if (hasSpans) yield* spansIn(line, start);
    start = end + 1;
  }
  if (fence !== null) yield { start: fence.start, end: text.length };
}

/** The code spans of a line: each from a run of backticks to the next one of its length. */
function* spansIn(line: string, offset: number): Generator<Range> {
  if (!line.includes("`")) return;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ index, length: run.length }));
  const nextOf = new Map<number, (typeof runs)[number]>();
  const closings = runs.toReversed().map((run) => {
    const closing = nextOf.get(run.length);
    nextOf.set(run.length, run);
    return closing;
  });
  closings.reverse();
  let place = 0;
  for (const [at, { index }] of runs.entries()) {
    const closing = closings[at];
    if (index < place || closing === undefined) continue;
    place = closing.index + closing.length;
    yield { start: offset + index, end: offset + place };
  }
}

/** A text with its fenced code and code spans replaced. */
export function replaceCode(text: string, replacement: (code: string) => string): string {
  return replaceRanges(text, codeIn(text, true), replacement);
}

/** A text with its code spans, but without its fenced code. */
export function withoutFences(text: string): string {
  return replaceRanges(text, codeIn(text, false), () => "");
}

function replaceRanges(text: string, ranges: Iterable<Range>, replacement: (part: string) => string): string {
  const parts: string[] = [];
  let place = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(place, start), replacement(text.slice(start, end)));
    place = end;
  }
  return parts.join("") + text.slice(place);
}
