const bullet = /^(\t*)- (.*)$/;
const fence = /^\s*(?:- )?(`{3,}|~{3,})/;
const marker = /^(TODO|LATER|DOING|NOW|WAITING|DONE|CANCELED|CANCELLED) /;
const done = new Set(["DONE", "CANCELED", "CANCELLED"]);
/** Lines that Logseq does not show: ids, whether a block is folded, and the log of its clock. */
const unseen = /^\s*(?:(?:- )?(?:id|collapsed|logseq\.[\w.-]+)::.*|:LOGBOOK:|CLOCK: .*|:END:)$/;

/**
 * Rewrites an outline as nested lists: Logseq indents blocks by tabs, which a parser of Markdown takes for code below a
 * heading. Tasks become items that are checked or not.
 */
export function outlineAsMarkdown(body: string): string {
  let depth = 0;
  let closing: string | null = null;
  const lines = body.split("\n").flatMap((line) => {
    const isCode = closing !== null;
    const opened = fence.exec(line)?.[1] ?? null;
    if (closing === null) closing = opened;
    else if (line.trim() === closing) closing = null;
    const [, tabs, words = ""] = (isCode ? null : bullet.exec(line)) ?? [];
    if (tabs !== undefined) depth = tabs.length;
    // The id of a block may be all that it has.
    if (!isCode && unseen.test(line)) return tabs === undefined ? [] : [`${"  ".repeat(depth)}-`];
    return [tabs === undefined ? unindented(line, depth) : `${"  ".repeat(depth)}- ${withTask(words)}`];
  });
  return lines.join("\n");
}

function withTask(words: string): string {
  return words.replace(marker, (_, kind: string) => (done.has(kind) ? "[x] " : "[ ] "));
}

/** A line of a block after its first, indented below the block at this depth. */
function unindented(line: string, depth: number): string {
  const tabs = /^\t*/.exec(line)?.[0].length ?? 0;
  const removed = Math.min(tabs, depth);
  return "  ".repeat(removed) + line.slice(removed);
}
