import path from "node:path";
import type { ScannedFolder } from "../workspace/scan.ts";
import type { ScannedFile } from "../workspace/scanned-file.ts";
import {
  type Dialect,
  folderAt,
  folderWithSettings,
  linkToIncluded,
  outsideCode,
  settingsIn,
} from "./dialect.ts";

const settings = /^book\.toml$/;

/**
 * mdBook (https://rust-lang.github.io/mdBook/format/summary.html, /format/mdbook.html). Links are paths; those to the `.html` that is made of a page
 * lead to that page, and `index.html` is made of `README.md`. Chapters have the titles that `SUMMARY.md` gives them.
 */
export const mdbook: Dialect = {
  id: "mdbook",
  name: "mdBook",
  detects: (folder) => folderWithSettings(folder, settings) !== null,
  resembles: (folder) => summaryOf(folder) !== null,
  titlesElsewhere: true,
  readText(file, text, folder) {
    const title = titlesOf(folder).get(file.path);
    return title === undefined || typeof text.data.title === "string" ? text : { ...text, title };
  },
  prepare: (body) => outsideCode(body, withIncludes),
  links: (files) => ({
    hyperlink(from, target) {
      const [, place = "", rest = ""] = /^([^?#]*\.html)([?#].*)?$/s.exec(target) ?? [];
      if (place === "" || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return null;
      const links = files.plain(from);
      for (const file of [place.replace(/\.html$/, ".md"), place.replace(/index\.html$/, "README.md")]) {
        const found = links.hyperlink(file + rest);
        if (found.kind === "entry") return found;
      }
      return null;
    },
  }),
};

/** `{{#include part.md}}` puts another page into this one. Parts of other files stand in code. */
function withIncludes(prose: string): string {
  return prose.replace(
    /(?<!\\)\{\{\s*#include\s([^{}]*)\}\}/g,
    (whole, parameters: string) => linkToIncluded(parameters, /[\s:]/) ?? whole,
  );
}

/** The summary of the book: in `src`, or where the settings say. */
function summaryOf(folder: ScannedFolder): ScannedFile | null {
  const book = folderWithSettings(folder, settings) ?? folder;
  const source = /^src\s*=\s*["']([^"']+)/m.exec(settingsIn(book, settings) ?? "")?.[1] ?? "src";
  const found = [folderAt(book, source.replace(/^\.\/|\/$/g, "")), folder].flatMap(
    (place) => place?.files.find(({ name }) => name === "SUMMARY.md") ?? [],
  );
  return found[0] ?? null;
}

const titles = new WeakMap<ScannedFolder, ReadonlyMap<string, string>>();

/** The titles of chapters by the path of their file. */
function titlesOf(folder: ScannedFolder): ReadonlyMap<string, string> {
  const known = titles.get(folder);
  if (known !== undefined) return known;
  const summary = summaryOf(folder);
  const listed = [
    ...(summary?.text.matchAll(/^[ \t]*(?:[-*+] )?\[([^[\]\n]+)\]\(<?([^)>\s]+\.md)>?\)/gm) ?? []),
  ];
  const found = new Map(
    listed.map(([, title = "", file = ""]) => [
      path.posix.join(path.posix.dirname(summary?.path ?? ""), file.replaceAll("%20", " ")),
      title.replace(/[`*_]/g, "").trim(),
    ]),
  );
  titles.set(folder, found);
  return found;
}
