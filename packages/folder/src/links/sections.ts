import { withoutFences } from "../document/code.ts";
import { withoutHeadingId } from "../document/regions.ts";
import type { Entry } from "../workspace/entry.ts";
import { readingFile } from "../workspace/left-out.ts";
import { plainInline, withoutClosingSigns } from "../workspace/title.ts";
import type { Resolution } from "./resolve-link.ts";

/**
 * Adds to a resolved link the section that its fragment names: a heading by its words, its id or the id that sites make of its words, or
 * the heading above a block (`#^id`). A fragment that the page does not have stays as it is written.
 */
export function withSection(resolution: Resolution, target: string): Resolution {
  if (resolution.kind !== "entry") return resolution;
  const written = /#(.+)$/s.exec(target)?.[1]?.trim();
  if (written === undefined || written === "") return resolution;
  const fragment = decoded(written);
  const { headings, blocks } = sectionsOf(resolution.entry);
  const known = fragment.startsWith("^")
    ? blocks.get(fragment.slice(1).toLowerCase())
    : headings.get(keyOf(fragment.split("#").at(-1) ?? ""));
  if (known === null) return resolution;
  return { ...resolution, section: known ?? fragment };
}

/** Whether links lead to the same parts of two texts: headings, blocks that have an id, and the first lines of those. */
export function hasSameSections(a: Entry, b: Entry): boolean {
  return a.body === b.body || namesIn(a) === namesIn(b);
}

function namesIn(entry: Entry): string {
  const { headings, blocks } = sectionsOf(entry);
  const outline = entry.body.match(/^.*\n[ \t]*id::.*$/gm) ?? [];
  return JSON.stringify([[...headings], [...blocks], outline]);
}

interface Sections {
  /** Headings by their words, their ids, and the ids that sites make; null for one that repeats the title, which the text leaves out. */
  readonly headings: ReadonlyMap<string, string | null>;
  /** The headings above blocks that have an id; null above the first heading. */
  readonly blocks: ReadonlyMap<string, string | null>;
}

const sections = new WeakMap<Entry, Sections>();

function sectionsOf(entry: Entry): Sections {
  const known = sections.get(entry) ?? readingFile(entry.file, () => readSections(entry));
  sections.set(entry, known);
  return known;
}

const heading = /^\s*(?:[-*+] )?#{1,6}[ \t]/;
const headingId = /^\{(?:#([^\s{}]+)(?:\s[^{}]*)?|\/\*\s*([^\s{}]+?)\s*\*\/)\}\s*$/;
const blockId = /(?:^|\s)\^([A-Za-z0-9-]+)[ \t]*$/;

function readSections({ body, title }: Entry): Sections {
  const headings = new Map<string, string | null>();
  const blocks = new Map<string, string | null>();
  let above: string | null = null;
  const readHeading = (written: string) => {
    const words = plainInline(withoutHeadingId(written)).trim();
    const [, id = words, comment = id] = headingId.exec(written.slice(written.lastIndexOf("{"))) ?? [];
    above = headings.size === 0 && words === title ? null : words;
    for (const key of [words, slugOf(words), id, comment].map(keyOf))
      if (!headings.has(key)) headings.set(key, above);
  };
  for (const line of withoutFences(body).split("\n")) {
    const marker = heading.exec(line)?.[0];
    const block = blockId.exec(line)?.[1];
    if (marker !== undefined) readHeading(withoutClosingSigns(line.slice(marker.length)).trimStart());
    if (block !== undefined) blocks.set(block.toLowerCase(), above);
  }
  return { headings, blocks };
}

/** The id that GitHub and most sites make of a heading. */
function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function keyOf(words: string): string {
  return words.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
