import { type Resolution, unresolvedAt } from "../links/resolve-link.ts";
import type { Entry } from "../workspace/entry.ts";
import type { ScannedFolder } from "../workspace/scan.ts";
import type { ScannedFile } from "../workspace/scanned-file.ts";
import { type ReadText, withoutEnding } from "../workspace/title.ts";
import {
  type Dialect,
  type DialectFiles,
  type DialectLinks,
  folderAt,
  outsideCode,
  settingsIn,
} from "./dialect.ts";
import { formatDay } from "./logseq-days.ts";
import { outlineAsMarkdown } from "./logseq-outline.ts";

/**
 * Logseq (https://docs.logseq.com: properties, aliases, namespaces, block references, tags). A page is known by its title, or else by the name of its
 * file, and by its aliases, in any case; a page without a file is unresolved.
 */
export const logseq: Dialect = {
  id: "logseq",
  name: "Logseq",
  detects: (folder) => configOf(folder) !== null,
  resembles: (folder) => ["pages", "journals"].every((name) => folderAt(folder, name) !== null),
  readText: (file, text, folder) => withProperties(file, text, configOf(folder) ?? ""),
  prepare: (body) => outlineAsMarkdown(outsideCode(body, withLinks)),
  tags: null,
  links: createLinks,
};

function configOf(folder: ScannedFolder): string | null {
  const below = folderAt(folder, "logseq");
  return below === null ? null : settingsIn(below, /^config\.edn$/);
}

/** The properties of a page: the `key:: value` lines of its first block. */
const pageProperties = /^(?:-[ \t])?(?:[ \t]*[A-Za-z][^\s:[\]()]*::(?:[ \t][^\n]*)?(?:\n|$))+/;
const property = /^(?:-[ \t])?[ \t]*([A-Za-z][^\s:[\]()]*)::[ \t]*(.*)$/gm;

/** Properties about the outline, and not about its content. */
const hidden = new Set(["id", "collapsed", "filters"]);
const dates: Readonly<Record<string, string>> = { "created-at": "created", "updated-at": "updated" };

function withProperties(file: ScannedFile, text: ReadText, config: string): ReadText {
  const block = pageProperties.exec(text.body)?.[0] ?? "";
  const data: Record<string, unknown> = { ...text.data };
  for (const [, name = "", value = ""] of block.matchAll(property)) {
    const key = name.toLowerCase();
    if (!hidden.has(key) && !key.startsWith("logseq."))
      data[dates[key] ?? key] = readValue(key, value.trim());
  }
  const title = typeof data.title === "string" && data.title !== "" ? data.title : titleOf(file, config);
  return { ...text, data, title, body: text.body.slice(block.length) };
}

/** Tags and aliases are lists of pages, separated by commas. */
function readValue(key: string, value: string): unknown {
  if (key !== "tags" && key !== "alias") return withLinks(value);
  const names = value
    .split(/[,，]/)
    .map(bareName)
    .filter((name) => name !== "");
  return key === "tags" ? names.map((name) => `[[${name}]]`) : names;
}

/** The title of a page without `title::`: its file's name, in which `___` is `/` and `%3F` a sign that files cannot have; of a journal its day. */
function titleOf({ path: place, name }: ScannedFile, config: string): string {
  const written = withoutEnding(name);
  const day = /(?:^|\/)journals\//.test(place) ? /^(\d{4})[_-](\d\d)[_-](\d\d)$/.exec(written) : null;
  if (day !== null) {
    const format = /:journal\/page-title-format\s+"([^"]+)"/.exec(config.replace(/;.*$/gm, ""))?.[1];
    return formatDay(`${day[1]}-${day[2]}-${day[3]}`, format ?? "MMM do, yyyy");
  }
  try {
    return decodeURIComponent(written.replaceAll("___", "/"));
  } catch {
    return written.replaceAll("___", "/");
  }
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** No part takes the sign that begins its pattern: a row of them would take quadratic time. */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\{\\{embed\\s+(\\[\\[[^\\n{}]*?\\]\\]|\\(\\(${uuid}\\)\\))\\s*\\}\\}`, "gi"), "$1"],
  [new RegExp(`\\[([^[\\]\\n]+)\\]\\(\\(\\((${uuid})\\)\\)\\)`, "gi"), "[[(($2))|$1]]"],
  [new RegExp(`(?<!\\[\\[)\\(\\((${uuid})\\)\\)`, "gi"), "[[(($1))]]"],
  [/\[([^[\]\n]+)\]\(\[\[([^[\]\n]+)\]\]\)/g, "[[$2|$1]]"],
  [/(?<=^|\s)#\[\[([^[\]\n]+)\]\]/gm, "[[$1|#$1]]"],
  [/(?<=^|\s)#([^\s#+,.!?;:"'()[\]|]+)/gm, "[[$1|#$1]]"],
];

/** Rewrites references to blocks, tags, embeds and links with a label as `[[links]]`. */
function withLinks(prose: string): string {
  return rewrites.reduce((text, [pattern, link]) => text.replace(pattern, link), prose);
}

/** A block that has an id, which other blocks may refer to. */
interface Block {
  readonly entry: Entry;
  readonly words: string;
}

function createLinks(files: DialectFiles): DialectLinks {
  const pages = new Map<string, Entry>();
  const blocks = new Map<string, Block>();
  const withText = files.entries.filter(({ file }) => file !== null);
  for (const entry of withText) pages.set(keyOf(entry.title), entry);
  for (const entry of withText) {
    for (const alias of [entry.frontMatter.alias].flat()) {
      if (typeof alias === "string" && !pages.has(keyOf(alias))) pages.set(keyOf(alias), entry);
    }
    for (const [id, words] of blocksIn(entry)) blocks.set(id, { entry, words });
  }
  return {
    wikiLink(_from, target): Resolution {
      const id = /^\(\(([0-9a-f-]+)\)\)$/i.exec(target.trim())?.[1]?.toLowerCase();
      const block = id === undefined ? undefined : blocks.get(id);
      if (block !== undefined) return { kind: "entry", entry: block.entry, words: block.words };
      const entry = pages.get(keyOf(target));
      return entry === undefined ? unresolvedAt(files, target.trim()) : { kind: "entry", entry };
    },
  };
}

const blockId = new RegExp(`^\\s*id::[ \\t]*(${uuid})[ \\t]*$`, "i");

/** The blocks of a page that have an id, with their first line. */
function* blocksIn({ file }: Entry): Generator<readonly [id: string, words: string]> {
  let first: string | null = null;
  for (const line of (file?.text ?? "").split("\n")) {
    const id = first === null ? undefined : blockId.exec(line)?.[1];
    if (first !== null && id !== undefined) {
      yield [id.toLowerCase(), first.replace(/^\s*(?:- )?(?:#{1,6} )?/, "").slice(0, 200)];
      first = null;
    } else if (first === null || /^\s*- /.test(line)) first = line;
  }
}

function bareName(name: string): string {
  return name
    .trim()
    .replace(/^#/, "")
    .replace(/^\[\[(.*)\]\]$/, "$1")
    .trim();
}

function keyOf(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}
