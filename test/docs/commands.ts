/** A block of commands of a document. */
export interface CommandBlock {
  readonly file: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  readonly code: string;
  /** The comment before it, which says where it runs or why not; null without one. */
  readonly mark: string | null;
}

/** The languages of blocks with commands. A block without a language may be anything, so it has to say what it is. */
const shellLanguages = new Set(["", "sh", "bash", "shell", "console"]);

/**
 * Finds the blocks of commands of a document, with their marks. A mark is a comment before the block, or one that begins
 * with a language and holds for all blocks of it below.
 */
export function commandBlocksOf(file: string, document: string): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  const markOfLanguage = new Map<string, string>();
  const lines = document.split("\n");
  let comment: string | null = null;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [, indent = "", fence, language = ""] = /^(\s*)(`{3,}|~{3,})(\S*)/.exec(line) ?? [];
    if (fence === undefined) {
      const [, written = null] = /^\s*<!-- (.+) -->$/.exec(line) ?? [];
      const [, of, mark] = /^(\w+): (.+)$/.exec(written ?? "") ?? [];
      if (of !== undefined && mark !== undefined && shellLanguages.has(of)) markOfLanguage.set(of, mark);
      else if (line.trim() !== "") comment = written;
      continue;
    }
    const end = lines.findIndex((each, at) => at > index && each.trim() === fence);
    const code = lines
      .slice(index + 1, end)
      .map((each) => each.replace(indent, ""))
      .join("\n");
    const mark = comment ?? markOfLanguage.get(language) ?? null;
    if (shellLanguages.has(language)) blocks.push({ file, line: index + 1, code, mark });
    comment = null;
    index = end;
  }
  return blocks;
}
