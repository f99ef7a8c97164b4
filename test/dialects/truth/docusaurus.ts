import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { type Link, lineOf, pathOfUrl, plainAddress, type Source, type Truth } from "./folder.ts";

/**
 * Docusaurus (docusaurus.io: Create a doc, Blog, Markdown links, docs plugin): a link with the ending of a file is a path, relative to the
 * file or from the root of the content. Any other is an address. That of a doc is `/docs`, its folder without number prefixes,
 * and its `slug`, its `id` or its file's name; that of a post its date and name, or its `slug`.
 */
export const docusaurus: Truth = async ({ pages }) => {
  const byFile = new Set(pages.map(({ path: place }) => place));
  const roots = [
    "",
    "docs/",
    "blog/",
    "website/",
    "website/docs/",
    "website/blog/",
    "src/pages/",
    "website/src/pages/",
  ];
  const all = pages.map((page) => ({ ...page, address: addressOf(page) }));
  const byAddress = new Map(all.map(({ address, path: place }) => [plainAddress(address), place]));
  return all.flatMap(({ path: from, text, address }) =>
    writtenLinks(text, "mdx").flatMap(({ target }): Link[] => {
      const [written = ""] = target.split(/[?#]/);
      const name = decodeURI(written);
      const below = [
        path.posix.join(path.posix.dirname(from), name),
        ...roots.map((root) => path.posix.join(root, `.${name}`)),
      ];
      const tried = name.startsWith("/")
        ? below.slice(1)
        : [...below.slice(0, 1), ...roots.map((root) => path.posix.join(root, name))];
      const file =
        /\.mdx?$/.test(name) && !/^[a-z]+:/i.test(name)
          ? tried.find((place) => byFile.has(place))
          : undefined;
      const url = pathOfUrl(target, address);
      const to = file ?? (url === null ? undefined : byAddress.get(plainAddress(url)));
      return to === undefined ? [] : [{ from, to, written: target }];
    }),
  );
};

function addressOf({ path: place, head }: Pick<Source, "path" | "head">): string {
  const slug = lineOf(head, "slug");
  const post = /(?:^|\/)blog\/(?:(.*)\/)?(\d{4})[-/](\d\d)[-/](\d\d)[-/](.+?)(?:\/index)?\.mdx?$/.exec(place);
  if (post !== null) {
    const [, folder, year, month, day, name] = post;
    if (slug !== null) return path.posix.join("/blog", slug);
    return path.posix.join("/blog", folder ?? "", `${year}/${month}/${day}/${name}`);
  }
  const isDoc = /(?:^|\/)docs\//.test(place);
  const below = place.replace(/^.*?(?:^|\/)(?:docs|src\/pages)\//, "").replace(/\.mdx?$/, "");
  const parts = below.split("/").map((part) => part.replace(/^\d+\s*[-_.]+\s*(?=[^-_.\s])/, ""));
  const name = parts.pop() ?? "";
  const root = isDoc ? "/docs" : "/";
  if (slug !== null)
    return slug.startsWith("/") ? path.posix.join(root, slug) : path.posix.join(root, ...parts, slug);
  const isIndex = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === parts.at(-1)?.toLowerCase();
  return `${path.posix.join(root, ...parts, isIndex ? "" : ((isDoc ? lineOf(head, "id") : null) ?? name))}`;
}
