import { writeFiles } from "../../test/support/markdown-folder.ts";

/*
 * Makes a folder of Markdown of a corpus of passages, with links found by title. The rules were fixed before any ranking was
 * measured on it: README.md states them.
 */

/** A text of a corpus. Several may have the same title. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** The id of the page that the passage at this place of the corpus becomes. */
export const pageId = (index: number): string => `00000000-0000-4000-8000-${hex(index)}`;
const hex = (index: number) => (index + 0x1000_0000).toString(16).padStart(12, "0");

const fileName = (index: number) => `p${index}.md`;

/** Writes a page for each passage. Returns the number of links. */
export async function writePassages(folder: string, passages: readonly Passage[]): Promise<number> {
  const mentions = new Mentions(passages);
  const files: Record<string, string> = { "_workspace.yml": "name: Passages\n" };
  const seen = new Map<string, number>();
  let links = 0;
  for (const [index, { title, text }] of passages.entries()) {
    const number = (seen.get(title) ?? 0) + 1;
    seen.set(title, number);
    const shown = number === 1 ? title : `${title} (${number})`;
    const parts = mentions.linked(text, title);
    links += parts.filter((part) => part.target !== undefined).length;
    const lines = ["---", `id: ${pageId(index)}`, `title: ${JSON.stringify(shown)}`, ...times, "---"];
    files[fileName(index)] = `${lines.join("\n")}\n${parts.map(markdownOf).join("")}\n`;
  }
  await writeFiles(folder, files);
  return links;
}

const times = ["created: 2025-01-05T10:00:00Z", "updated: 2025-02-06T11:00:00Z"];

/** A piece of a text; `target` is the place of the passage that it links to. */
interface Part {
  readonly text: string;
  readonly target?: number;
}

const markdownOf = ({ text, target }: Part): string =>
  target === undefined ? escaped(text) : `[${escaped(text)}](${fileName(target)})`;

/** With a backslash before each sign of Markdown, and an empty line between paragraphs. */
const escaped = (text: string) =>
  text
    .replaceAll(/[\\*_~`$[\]<>{}|^#&]/g, "\\$&")
    .replaceAll(/^(\s*)([-+]|\d+[.)])(?=\s)/gm, "$1\\$2")
    .replaceAll(/\s*\n\s*/g, "\n\n");

interface Name {
  readonly text: string;
  readonly target: number;
}

const minLength = 4;

/** Finds mentions of titles in texts. */
class Mentions {
  /** The names of pages by their first words, longest first. */
  private readonly names: ReadonlyMap<string, readonly Name[]>;

  constructor(passages: readonly Passage[]) {
    const targets = new Map<string, number>();
    for (const [index, { title }] of passages.entries()) if (!targets.has(title)) targets.set(title, index);
    const short = Map.groupBy(targets, ([title]) => title.replace(/\s*\([^()]*\)$/, ""));
    for (const [name, [first, ...others]] of short)
      if (first !== undefined && others.length === 0 && !targets.has(name)) targets.set(name, first[1]);
    const names = [...targets]
      .map(([text, target]) => ({ text, target }))
      .filter(({ text }) => text.length >= minLength && /^[\p{Lu}\p{N}]/u.test(text))
      .sort((a, b) => b.text.length - a.text.length);
    this.names = Map.groupBy(names, ({ text }) => firstWord(text));
  }

  /** The text with a link where the title of each other page stands first. A longer name goes before a shorter one. */
  linked(text: string, ownTitle: string): readonly Part[] {
    const parts: Part[] = [];
    const linked = new Set<number>();
    let written = 0;
    let read = 0;
    for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
      const named =
        index < read ? undefined : this.names.get(word)?.find((name) => isAt(text, index, name.text));
      if (named === undefined) continue;
      read = index + named.text.length;
      if (linked.has(named.target) || isOwn(named.text, ownTitle)) continue;
      linked.add(named.target);
      parts.push({ text: text.slice(written, index) }, named);
      written = read;
    }
    return [...parts, { text: text.slice(written) }];
  }
}

const firstWord = (text: string) => /[\p{L}\p{N}]+/u.exec(text)?.[0] ?? "";

const isAt = (text: string, index: number, name: string): boolean =>
  text.startsWith(name, index) && !/^[\p{L}\p{N}]/u.test(text.slice(index + name.length));

/** A text that mentions the page's own title, or its title without what stands in parentheses. */
const isOwn = (name: string, ownTitle: string): boolean =>
  name === ownTitle || name === ownTitle.replace(/\s*\([^()]*\)$/, "");
