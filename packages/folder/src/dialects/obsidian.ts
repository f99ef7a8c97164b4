import { flavourOf } from "../document/regions.ts";
import { noteInVault } from "../links/resolve-link.ts";
import { isDrawing } from "../workspace/drawing.ts";
import { readingFile } from "../workspace/left-out.ts";
import type { ScannedFolder } from "../workspace/scan.ts";
import type { ScannedFile } from "../workspace/scanned-file.ts";
import { type ReadText, titleIn } from "../workspace/title.ts";
import { splitComments } from "./comments.ts";
import { type Dialect, outsideCode, settingsIn, tagsInFrontMatter, withoutCode } from "./dialect.ts";

/** The share of notes with `[[links]]` from which on a folder without settings counts as a vault. */
const shareWithLinks = 0.05;

/** A tag: no spaces and no punctuation but `_`, `-` and `/`, and not digits alone. */
const tag = "(?=[^\\s]*[^\\d\\s/])(?:[\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic}\\u200d\\ufe0f_/-])+";
const inlineTag = new RegExp(`(?<=^|\\s)#(${tag})(?![#\\p{L}\\p{N}])`, "gmu");

/**
 * Obsidian (https://help.obsidian.md/links, /callouts, /properties, /tags). Beyond its rules, a title, an alias or a folder is found too.
 */
export const obsidian: Dialect = {
  id: "obsidian",
  name: "Obsidian",
  detects: (folder) => settingsIn(folder, /^\.obsidian$/) !== null,
  resembles(folder) {
    const { notes, linked } = counted(folder);
    return linked > 0 && linked >= notes * shareWithLinks;
  },
  readText,
  prepare: (body) => outsideCode(body, (prose) => withTitles(withoutBlockIds(prose))),
  links: (files) => ({
    hyperlink: ({ file }, target) => (file === null ? null : noteInVault(files, file.path, target)),
  }),
  tags: {
    ...tagsInFrontMatter,
    separator: /[,\s]+/,
    form: new RegExp(`^${tag}$`, "u"),
    isNested: true,
    inText: tagsIn,
  },
};

const texts = new WeakMap<ReadText, ReadText>();

/** Takes comments out of a text. Reads each text once. */
function readText({ name }: ScannedFile, text: ReadText): ReadText {
  if (!text.body.includes("%%")) return text;
  const known = texts.get(text);
  if (known !== undefined) return known;
  const { shown: body, comments: hidden } = splitComments(text.body);
  const title = isDrawing(name, text.data) ? text.title : titleIn(text.data, body, flavourOf(name));
  const read = { ...text, body, hidden, title };
  texts.set(text, read);
  return read;
}

/** Places in which `#` begins no tag: comments that Obsidian does not read, formulas, links and their addresses. */
const notProse = /\[\[[^[\]\n]*\]\]|\]\([^()\n]*\)|<[^<>\n]*>/g;
const pairs: Readonly<Record<string, string>> = { "<!--": "-->", $$: "$$" };
const pairStart = /<!--|\$\$/g;

function tagsIn(body: string): readonly string[] {
  if (!body.includes("#")) return [];
  const prose = withoutPairs(withoutCode(body)).replace(notProse, "");
  return [...prose.matchAll(inlineTag)].map(([, name = ""]) => name);
}

/** A text without comments and formulas. An end that is missing is looked for once, not at each beginning. */
function withoutPairs(text: string): string {
  const parts: string[] = [];
  const unended = new Set<string>();
  let place = 0;
  for (const { 0: sign, index } of text.matchAll(pairStart)) {
    const closing = pairs[sign];
    if (index < place || closing === undefined || unended.has(sign)) continue;
    const end = text.indexOf(closing, index + sign.length);
    if (end === -1) unended.add(sign);
    else {
      parts.push(text.slice(place, index));
      place = end + closing.length;
    }
  }
  return parts.join("") + text.slice(place);
}

/** The id of a block, ` ^quote-of-the-day` at its end, names the block in links and is not shown. */
function withoutBlockIds(prose: string): string {
  return prose.replace(/(?:^|[ \t])\^[A-Za-z0-9-]+[ \t]*$/gm, "");
}

/** The title of a callout, `> [!tip] Title`, is a paragraph of its own. */
function withTitles(prose: string): string {
  return prose.replace(
    /^((?:[ \t]*>)+[ \t]?)\[!\w+\][+-]?[ \t]+\S.*$/gm,
    (line, quote: string) => `${line}\n${quote}`,
  );
}

/** Unlike a test of the shell, `[[ -f x ]]`, it begins without a space. */
const link = /\[\[[^\s[\]][^[\]\n]*\]\]/;

/** Whether a text has a link outside of code, where the same signs mean something else in many languages. */
function hasLink(text: string): boolean {
  // Most texts have none at all, which is found out sooner.
  return link.test(text) && link.test(withoutCode(text));
}

interface Counts {
  readonly notes: number;
  readonly linked: number;
}

const counts = new WeakMap<ScannedFolder, Counts>();

/** Counts each folder once: one without a change is the same object in the next scan. */
function counted(folder: ScannedFolder): Counts {
  const known = counts.get(folder) ?? count(folder);
  counts.set(folder, known);
  return known;
}

function count({ files, folders }: ScannedFolder): Counts {
  const below = folders.map(counted);
  return {
    notes: below.reduce((sum, { notes }) => sum + notes, files.length),
    linked: below.reduce(
      (sum, { linked }) => sum + linked,
      files.filter((file) => file.name.endsWith(".md") && readingFile(file, () => hasLink(file.text))).length,
    ),
  };
}
