import path from "node:path";
import { replaceCode } from "../document/code.ts";
import type { LinkResolver } from "../document/references.ts";
import type { Flavour } from "../document/regions.ts";
import type { LinkableFiles, Resolution } from "../links/resolve-link.ts";
import type { Entry } from "../workspace/entry.ts";
import type { ScannedFolder } from "../workspace/scan.ts";
import type { ScannedFile } from "../workspace/scanned-file.ts";
import type { ReadText } from "../workspace/title.ts";

/** The names that `dialect:` in `_workspace.yml` may have. */
export const dialectIds = [
  "obsidian",
  "logseq",
  "hugo",
  "docusaurus",
  "starlight",
  "mdbook",
  "vitepress",
  "plain",
] as const;
type DialectId = (typeof dialectIds)[number];

/** The rules by which the tool of a folder reads its files. What a dialect does not say is as in plain Markdown. */
export interface Dialect {
  readonly id: DialectId;
  /** The name of the tool. */
  readonly name: string;
  /** Whether the tool's settings are in a folder. */
  detects(folder: ScannedFolder): boolean;
  /** Whether the files of a folder without settings have a form that the tool's have. */
  resembles?(folder: ScannedFolder): boolean;
  /** Reads what the tool takes from a file besides its front matter: properties, names, or text. */
  readText?(file: ScannedFile, text: ReadText, folder: ScannedFolder): ReadText;
  /** Whether titles of pages come from the text of another one. */
  readonly titlesElsewhere?: true;
  /** The flavour of all files, if their endings do not tell it. */
  readonly flavour?: Flavour;
  /** Rewrites the tool's own syntax as Markdown with `[[links]]`, HTML and components. */
  prepare?(body: string): string;
  /** The tags of its pages; null if tags are links to pages. By default those in the property `tags` or `tag`. */
  readonly tags?: TagRules | null;
  /** Resolves links by the tool's rules. Called once for a state of the folder. */
  links?(files: DialectFiles): DialectLinks;
}

/** The rules by which a tool finds the tags of a page. */
export interface TagRules {
  /** The properties with tags, in lower case. Each is a list or a text. */
  readonly properties: readonly string[];
  /** Separates the tags of a property that is a text. */
  readonly separator: RegExp;
  /** The form of a tag; any by default. */
  readonly form?: RegExp;
  /** Whether `a/b` is a tag below `a`. */
  readonly isNested: boolean;
  /** The tags in a text, each as often as it occurs. */
  inText?(body: string): readonly string[];
}

/** The rules of tools whose tags are in front matter alone. */
export const tagsInFrontMatter: TagRules = {
  properties: ["tags", "tag"],
  separator: /,/,
  isNested: false,
};

/** The pages of a folder, as a dialect resolves links between them. */
export interface DialectFiles extends LinkableFiles {
  readonly folder: ScannedFolder;
  readonly entries: readonly Entry[];
  /** Links of a page by the rules of plain Markdown. */
  plain(entry: Entry): LinkResolver;
}

/** Resolves links; null if the rules of plain Markdown are the tool's. */
export interface DialectLinks {
  hyperlink?(from: Entry, target: string): Resolution | null;
  wikiLink?(from: Entry, target: string): Resolution | null;
}

/** The settings of a tool in a folder: the text of the first file whose name matches; null if there is none. */
export function settingsIn({ tools }: ScannedFolder, name: RegExp): string | null {
  for (const [known, file] of tools) if (name.test(known)) return file?.text ?? "";
  return null;
}

/** A folder with the settings of a tool: the folder itself, or the nearest below, at most two levels. */
export function folderWithSettings(folder: ScannedFolder, name: RegExp, depth = 2): ScannedFolder | null {
  if (settingsIn(folder, name) !== null) return folder;
  if (depth === 0) return null;
  for (const below of folder.folders) {
    const found = folderWithSettings(below, name, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

/** Finds the folder at a path below another one; null if there is none. */
export function folderAt(folder: ScannedFolder, place: string): ScannedFolder | null {
  const [first, ...rest] = place.split("/");
  if (first === undefined || first === "") return folder;
  const below = folder.folders.find(({ name }) => name === first);
  return below === undefined ? null : folderAt(below, rest.join("/"));
}

/** A text with a NUL in the place of each piece of code, for what only looks for something in it. */
export function withoutCode(text: string): string {
  return replaceCode(text, () => "\0");
}

/** Rewrites a text without its fenced code and code spans: a NUL with a number stands for each of them meanwhile. */
export function outsideCode(text: string, rewrite: (prose: string) => string): string {
  const kept: string[] = [];
  // CommonMark has no NUL (section 2.3).
  const prose = replaceCode(text.replaceAll("\0", "\ufffd"), (code) => `\0${kept.push(code) - 1}\0`);
  return rewrite(prose).replace(/\0(\d+)\0/g, (_, index: string) => kept[Number(index)] ?? "");
}

/**
 * A link to the page that an include names at the start of its parameters, before a sign that separates it from what follows; null
 * if that is no page.
 */
export function linkToIncluded(parameters: string, separator: RegExp): string | null {
  const [file = ""] = parameters.trimStart().split(separator, 1);
  const ending = file.lastIndexOf(".md");
  if (ending < 1) return null;
  const page = file.slice(0, ending + 3);
  return `[${path.posix.basename(page)}](<${page}>)`;
}
