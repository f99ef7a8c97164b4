import {
  endOfMatch,
  type Flavour,
  flavourOf,
  readModuleCode,
  withoutHeadingId,
} from "../document/regions.ts";
import { isDrawing, wordsOfDrawing } from "./drawing.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { readingFile } from "./left-out.ts";
import type { ScannedFile } from "./scanned-file.ts";

/** A file's front matter and text. */
export interface ReadText {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Markdown that the tool of the folder never shows, but of which it counts links and tags. */
  readonly hidden: string;
  /** Null if neither has one. */
  readonly title: string | null;
  /** The reason why the front matter was ignored. */
  readonly fault: string | null;
}

const texts = new WeakMap<ScannedFile, ReadText>();

/** Parses a file, once: an unchanged file is the same object in the next scan. */
export function readText(file: ScannedFile): ReadText {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = readingFile(file, () => {
    const { data, body: written, fault } = splitFrontMatter(file.text);
    const isDrawn = isDrawing(file.name, data);
    const body = isDrawn ? wordsOfDrawing(written) : written;
    // No word of a drawing is its title.
    const title = titleIn(data, isDrawn ? "" : body, flavourOf(file.name));
    return { data, body, hidden: "", title, fault };
  });
  texts.set(file, text);
  return text;
}

/** The title in a text: `title` of its front matter, else its first heading if that has level 1. */
export function titleIn(
  data: Readonly<Record<string, unknown>>,
  body: string,
  flavour: Flavour,
): string | null {
  const title = data.title;
  if (typeof title === "string" && title.trim() !== "") return oneLine(title);
  if (typeof title === "number" || typeof title === "boolean") return String(title);
  const heading = openingHeading(body, flavour);
  return heading === null ? null : oneLine(plainInline(withoutHeadingId(heading))) || null;
}

/** A Markdown file's name without its extension. */
export function withoutEnding(name: string): string {
  return name.replace(/\.mdx?$/i, "");
}

/** The aliases of a page: the name of its file or folder, and `alias` or `aliases` of its front matter. */
export function aliasesOf(
  title: string,
  name: string,
  data: Readonly<Record<string, unknown>>,
): readonly string[] {
  const given = Object.entries(data).flatMap(([key, value]) =>
    /^alias(?:es)?$/i.test(key) ? [value].flat().flatMap(nameOf) : [],
  );
  const known = new Set([title.toLowerCase()]);
  return [name, ...given].filter((alias) => {
    const isNew = !known.has(alias.toLowerCase());
    known.add(alias.toLowerCase());
    return isNew;
  });
}

function nameOf(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  return typeof value === "string" && value.trim() !== "" ? [oneLine(value)] : [];
}

/** The text of a heading of level 1 (`#`, or underlined with `=`) at the start of a text; null without one. */
function openingHeading(body: string, flavour: Flavour): string | null {
  const text = body.slice(firstBlock(body, flavour));
  const [first = "", second = ""] = text.split("\n", 2);
  const marker = /^ {0,3}#(?:[ \t]|$)/.exec(first)?.[0];
  if (marker !== undefined) return withoutClosingSigns(first.slice(marker.length)).trimStart();
  return /^ {0,3}[^\s#>`~|]/.test(first) && /^ {0,3}=+[ \t]*$/.test(second) ? first : null;
}

/** The text of a heading without the signs that may close it: `Heading ##`. */
export function withoutClosingSigns(text: string): string {
  const written = text.trimEnd();
  let end = written.length;
  while (written.charAt(end - 1) === "#") end -= 1;
  return end < written.length && /[ \t]/.test(written.charAt(end - 1))
    ? written.slice(0, end).trimEnd()
    : written;
}

const blank = /[ \t]*\n/y;
const comments = {
  md: /[ \t]*<!--[\s\S]*?-->/y,
  mdx: /[ \t]*(?:<!--[\s\S]*?-->|\{\s*\/\*[\s\S]*?\*\/\s*\})/y,
};

/** The start of the first block: after blank lines, comments, and the imports and exports of MDX. */
function firstBlock(body: string, flavour: Flavour): number {
  for (let place = 0; ; ) {
    const end =
      endOfMatch(blank, body, place) ??
      endOfMatch(comments[flavour], body, place) ??
      (flavour === "mdx" ? readModuleCode(body, place)?.end : null) ??
      place;
    if (end === place) return place;
    place = end;
  }
}

/** A heading without the markup of links, code and emphasis. Autolinks stay. */
export function plainInline(text: string): string {
  return digitsApart(text.slice(0, 1000))
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|<\/?[A-Za-z][^>]*>/g, (found, name?: string) =>
      name === undefined && !isAutolink(found) ? "" : (name ?? found),
    )
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/(?<![\w*])([*_])(.+?)\1(?![\w*])/g, "$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

/** Separates the digits of a `[[name]]` from digits next to it. */
export function digitsApart(text: string): string {
  return text.replace(/(?<=\d)(?=!?\[\[(?:[^[\]|]*\|)?\d)|(?<=\d\]\])(?=\d)/g, " ");
}

/** `<https://…>` or `<name@host>` (CommonMark, section 6.5). */
function isAutolink(tag: string): boolean {
  return /^<(?:[A-Za-z][A-Za-z0-9+.-]+:[^\s<>]*|[^\s<>@/]+@[^\s<>@]+)>$/.test(tag);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
