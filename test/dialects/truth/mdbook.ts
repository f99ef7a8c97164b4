import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { type Files, type Link, lineOf, type Source, type Truth } from "./folder.ts";

/**
 * mdBook (rust-lang.github.io/mdBook: SUMMARY.md, Markdown, mdBook-specific features, Configuration): a link to `x.md`, or to
 * the `x.html` that is made of it, leads to that chapter, relative to the file; the `index.html` of a folder is made of its
 * `README.md`. `{{#include x.md}}` puts a file into the page. Only what `SUMMARY.md` lists is in the book.
 */
export const mdbook: Truth = async (folder) => {
  const summaries = folder.pages.filter(({ path: place }) => path.posix.basename(place) === "SUMMARY.md");
  return (await Promise.all(summaries.map((summary) => linksOfBook(summary, folder)))).flat();
};

async function linksOfBook(summary: Source, { pages, read }: Files): Promise<Link[]> {
  const root = path.posix.dirname(summary.path);
  const config = (await read(path.posix.join(root, "../book.toml"))) ?? "";
  if (root !== "." && path.posix.basename(root) !== (lineOf(config, "src") ?? "src")) return [];
  const files = new Map(pages.map((page) => [page.path, page]));
  const find = (from: string, target: string) =>
    placesOf(root, from, target).find((place) => files.has(place) && place !== summary.path);
  const listed = writtenLinks(summary.text, "md").flatMap(({ target }) => find(summary.path, target) ?? []);
  const chapters = new Set(listed);
  return [...chapters].flatMap((from) => {
    const text = files.get(from)?.text ?? "";
    const included = [...text.matchAll(/(?<!\\)\{\{\s*#include\s+([^:}\s]+\.md)[^}]*\}\}/g)];
    const linked = writtenLinks(text, "md").map(({ target }) => ({ target, to: find(from, target) }));
    return [
      ...linked.filter(({ to }) => to !== undefined && chapters.has(to)),
      ...included.map(([, target = ""]) => ({ target, to: find(from, target) })),
    ].flatMap(({ target, to }): Link[] => (to === undefined ? [] : [{ from, to, written: target }]));
  });
}

/** The files that a target may mean. */
function placesOf(root: string, from: string, target: string): string[] {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(target)) return [];
  const [written = ""] = decodeURI(target).split(/[?#]/);
  const place = path.posix.join(written.startsWith("/") ? root : path.posix.dirname(from), written);
  const made = [place.replace(/\.html$/, ".md"), place.replace(/index\.html$/, "README.md")];
  return [place, ...made, path.posix.join(place, "README.md"), path.posix.join(place, "index.md")];
}
