import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import type { ScannedFolder } from "../workspace/scan.ts";
import { withoutEnding } from "../workspace/title.ts";
import {
  type Dialect,
  folderAt,
  folderWithSettings,
  outsideCode,
  settingsIn,
  tagsInFrontMatter,
} from "./dialect.ts";
import { withFencedShortcodes } from "./shortcodes.ts";
import { siteLinks } from "./site.ts";

const settings = /^hugo\.|^config\.(?:toml|ya?ml)$/;

/**
 * Hugo (https://gohugo.io/content-management/taxonomies/, /urls/, /multilingual/, /cross-references/). Pages are below `content`. In a site of
 * several languages each has a folder, or an ending such as `.fr.md`, and the addresses of the default language have no prefix. A link that
 * begins at the root leads to the page in the language of its own page, if there is one.
 */
export const hugo: Dialect = {
  id: "hugo",
  name: "Hugo",
  detects: (folder) => hugoRoot(folder) !== null,
  resembles: (folder) => holdsSections(folder),
  tags: { ...tagsInFrontMatter, properties: ["tags", "categories"] },
  prepare: (body) => outsideCode(body, withFencedShortcodes),
  links(files) {
    const { root, languages, main } = contentOf(files.folder);
    const place = (entry: Entry) => placeOf(entry, root, languages, main);
    const names = new Map<string, Entry | null>();
    const paths = new Map<string, Entry>();
    for (const entry of files.entries) {
      const { language, below } = place(entry) ?? { language: "", below: "" };
      const name = `${language} ${path.posix.basename(below).toLowerCase()}`;
      names.set(name, names.has(name) ? null : entry);
      if (entry.file !== null) paths.set(`${language} /${below.toLowerCase()}`, entry);
    }
    return siteLinks(files, {
      addressOf(entry) {
        const own = place(entry);
        if (own === null) return null;
        const { slug, url } = entry.frontMatter;
        const prefix = own.language === main ? "" : `/${own.language}`;
        if (typeof url === "string" && url !== "") return prefix + slashed(url);
        const isNamed = typeof slug === "string" && slug !== "";
        const below = isNamed ? path.posix.join(path.posix.dirname(own.below), slug) : own.below;
        return prefix + slashed(below);
      },
      otherAddresses: ({ frontMatter: { aliases } }) =>
        [aliases].flat().filter((alias) => typeof alias === "string"),
      candidates(address, { from, isAbsolute }) {
        const [, language = ""] = from.split("/");
        return isAbsolute && languages.has(language) ? [`/${language}${address}`, address] : [address];
      },
      named(name, from) {
        const language = place(from)?.language ?? "";
        const below = withoutIndex(withoutEnding(name))
          .toLowerCase()
          .replace(/^\/|\/$/g, "");
        const found = name.includes("/")
          ? paths.get(`${language} /${below}`)
          : names.get(`${language} ${below}`);
        return found ?? null;
      },
    });
  },
};

/** The folder with the settings of a site that has a folder `content`. */
function hugoRoot(folder: ScannedFolder): ScannedFolder | null {
  const { folders } = folder;
  const has = (name: string) => folders.some((below) => below.name === name);
  if (has("content") && (settingsIn(folder, settings) !== null || has("archetypes"))) return folder;
  const config = folderAt(folder, "config/_default");
  if (has("content") && config !== null && settingsIn(config, settings) !== null) return folder;
  return null;
}

/** Whether a folder has an `_index.md`, which only Hugo knows, at most three levels below. */
function holdsSections({ files, folders }: ScannedFolder, depth = 3): boolean {
  const isSection = files.some(({ name }) => /^_index\.(?:[a-z-]+\.)?md$/i.test(name));
  return isSection || (depth > 0 && folders.some((below) => holdsSections(below, depth - 1)));
}

/** The folder of the pages, the languages that have a part of it, and the default one, which is empty in a site of one. */
function contentOf(folder: ScannedFolder) {
  const root = hugoRoot(folder) === null ? "" : "content";
  const content = folderAt(folder, root) ?? folder;
  const config = folderWithSettings(folder, settings);
  const text = config === null ? "" : (settingsIn(config, settings) ?? "");
  const named = [...text.matchAll(/^(?:\[languages\.| {2,4})([a-z]{2,3}(?:-[a-z]+)?)(?:\]|:[ \t]*$)/gim)];
  const folders = content.folders.map(({ name }) => name);
  const listed = named.map(([, language = ""]) => language.toLowerCase());
  const languages = new Set(listed.length > 0 ? listed : folders.filter(isLanguage));
  const given = /^defaultContentLanguage\s*[:=]\s*["']?([\w-]+)/im.exec(text)?.[1]?.toLowerCase();
  const isSplit = languages.size > 1 || folders.every((name) => languages.has(name));
  if (!isSplit || languages.size === 0) return { root, languages: new Set<string>(), main: "" };
  return { root, languages, main: given ?? (languages.has("en") ? "en" : (listed[0] ?? "")) };
}

function isLanguage(name: string): boolean {
  return /^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(name);
}

/** The language of a page and its path without it, `index` and the ending; null outside of the content. */
function placeOf({ file }: Entry, root: string, languages: ReadonlySet<string>, main: string) {
  const prefix = root === "" ? "" : `${root}/`;
  if (file === null || !file.path.startsWith(prefix)) return null;
  const whole = withoutEnding(file.path.slice(prefix.length));
  const [first = "", ...rest] = whole.split("/");
  if (languages.has(first.toLowerCase()))
    return { language: first.toLowerCase(), below: withoutIndex(rest.join("/")) };
  const ending = /\.([a-z]{2}(?:-[a-z]+)?)$/i.exec(whole)?.[1]?.toLowerCase() ?? "";
  if (!languages.has(ending)) return { language: main, below: withoutIndex(whole) };
  return { language: ending, below: withoutIndex(whole.slice(0, -ending.length - 1)) };
}

function withoutIndex(place: string): string {
  return place.replace(/(?:^|\/)_?index$/i, "");
}

/** A path between slashes. */
function slashed(place: string): string {
  return `/${place}/`.replace(/\/{2,}/g, "/");
}
