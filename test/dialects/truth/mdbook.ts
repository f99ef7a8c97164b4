import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { type Link, lineOf, type Truth } from "./folder.ts";

/**
 * mdBook (rust-lang.github.io/mdBook: SUMMARY.md, Markdown, mdBook-specific features, Configuration): a link to `x.md` or to the `x.html` that is made of
 * it leads to that chapter, relative to the file; the `index.html` of a folder is made of its `README.md`. `{{#include x.md}}` puts a
 * file into the page. Only what `SUMMARY.md` lists is in the book.
 */
export const mdbook: Truth = async ({ pages, read }) => {
  const files = new Map(pages.map((page) => [page.path, page]));
  const books = [...files.keys()]
    .filter((place) => path.posix.basename(place) === "SUMMARY.md")
    .map(path.posix.dirname);
  const links: Link[] = [];
  for (const root of books) {
    const config = (await read(path.posix.join(root, "../book.toml"))) ?? "";
    const source = lineOf(config, "src") ?? "src";
    if (path.posix.basename(root) !== source && root !== ".") continue;
    const summary = files.get(path.posix.join(root, "SUMMARY.md"));
    if (summary === undefined) continue;
    const find = (from: string, target: string) => {
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(target)) return undefined;
      const [written = ""] = decodeURI(target).split(/[?#]/);
      const place = written.startsWith("/")
        ? path.posix.join(root, written)
        : path.posix.join(path.posix.dirname(from), written);
      const tried = [
        place,
        place.replace(/\.html$/, ".md"),
        place.replace(/index\.html$/, "README.md"),
        path.posix.join(place, "README.md"),
        path.posix.join(place, "index.md"),
      ];
      return tried.find((one) => files.has(one) && one !== summary.path);
    };
    const listed = writtenLinks(summary.text, "md").flatMap(({ target }) => ({
      target,
      to: find(summary.path, target),
    }));
    const chapters = new Set(listed.flatMap(({ to }) => to ?? []));
    for (const from of chapters) {
      const text = files.get(from)?.text ?? "";
      const included = [...text.matchAll(/(?<!\\)\{\{\s*#include\s+([^:}\s]+\.md)[^}]*\}\}/g)].map(
        ([, target = ""]) => target,
      );
      for (const target of [...writtenLinks(text, "md").map((link) => link.target), ...included]) {
        const to = find(from, target);
        if (to !== undefined && (chapters.has(to) || included.includes(target)))
          links.push({ from, to, written: target });
      }
    }
  }
  return links;
};
