import { endOfMatch, type Flavour, flavourOf, readModuleCode } from "../document/regions.ts";
import { splitFrontMatter } from "./front-matter.ts";
import type { ScannedFile } from "./scan.ts";

/** A file's front matter and text. */
export interface ReadText {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Null where neither names one. */
  readonly title: string | null;
  /** Why the front matter could not be read. */
  readonly fault: string | null;
}

const texts = new WeakMap<ScannedFile, ReadText>();

/** Takes a file apart, once: one that did not change is the same object at the next look at the folder. */
export function readText(file: ScannedFile): ReadText {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const { data, body, fault } = splitFrontMatter(file.text);
  const text = { data, body, title: titleIn(data, body, flavourOf(file.name)), fault };
  texts.set(file, text);
  return text;
}

/** The title that a text gives itself: `title` of its front matter, else a heading of level one that it begins with. */
function titleIn(data: Readonly<Record<string, unknown>>, body: string, flavour: Flavour): string | null {
  const title = data.title;
  if (typeof title === "string" && title.trim() !== "") return oneLine(title);
  if (typeof title === "number" || typeof title === "boolean") return String(title);
  const heading = openingHeading(body, flavour);
  return heading === null ? null : oneLine(plainInline(heading)) || null;
}

/** A Markdown file's name without its ending, as it is written. */
export function withoutEnding(name: string): string {
  return name.replace(/\.mdx?$/i, "");
}

/** The other names under which a page is known: its file's or folder's, and `alias` or `aliases` of its front matter. */
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

/** The text of the heading of level one that a text begins with, marked by `#` or underlined by `=`; null for none. */
function openingHeading(body: string, flavour: Flavour): string | null {
  const text = body.slice(firstBlock(body, flavour));
  const [first = "", second = ""] = text.split("\n", 2);
  const marked = /^ {0,3}#(?:[ \t]+|$)(.*)$/.exec(first)?.[1]?.replace(/[ \t]+#+[ \t]*$/, "");
  if (marked !== undefined) return marked;
  return /^ {0,3}[^\s#>`~|]/.test(first) && /^ {0,3}=+[ \t]*$/.test(second) ? first : null;
}

const blank = /[ \t]*\n/y;
const comments = {
  md: /[ \t]*<!--[\s\S]*?-->/y,
  mdx: /[ \t]*(?:<!--[\s\S]*?-->|\{\s*\/\*[\s\S]*?\*\/\s*\})/y,
};

/** Where the first block begins: after blank lines, comments, and the imports and exports of MDX. */
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

/** A heading's words without the marks of links, code and emphasis. Addresses in angle brackets stay. */
function plainInline(text: string): string {
  return digitsApart(text.slice(0, 1000))
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<\/?[A-Za-z][^>]*>/g, (tag) => (isAutolink(tag) ? tag : ""))
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/(?<![\w*])([*_])(.+?)\1(?![\w*])/g, "$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

/** Text with a space where the digits of a `[[name]]` would run together with those beside it. */
export function digitsApart(text: string): string {
  return text.replace(/(?<=\d)(?=!?\[\[(?:[^\]|]*\|)?\d)|(?<=\d\]\])(?=\d)/g, " ");
}

/** `<https://…>` or `<name@host>` (CommonMark, section 6.5). */
function isAutolink(tag: string): boolean {
  return /^<(?:[A-Za-z][A-Za-z0-9+.-]+:[^\s<>]*|[^\s<>@/]+@[^\s<>@]+)>$/.test(tag);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
