import { writtenLinks } from "../../corpus/count-links.ts";
import { type Link, lineOf, pathOfUrl, plainAddress, type Truth } from "./folder.ts";

/**
 * Astro Starlight (starlight.astro.build: Pages, Internationalization; docs.astro.build: Markdown): the address of a page is its path below
 * `src/content/docs`, or its `slug`. The first folder is the language. Where a page is not translated, its address shows the page of
 * the default language. Links are addresses, in Markdown and in the `href` of components.
 */
export const starlight: Truth = async ({ pages, read }) => {
  const root = "src/content/docs/";
  const config = (await read("astro.config.ts")) ?? (await read("astro.config.mjs")) ?? "";
  const main = /defaultLocale:\s*["']([^"']+)["']/.exec(config)?.[1] ?? "";
  const docs = pages
    .filter(({ path: place }) => place.startsWith(root))
    .map((page) => {
      const below = page.path
        .slice(root.length)
        .replace(/\.mdx?$/, "")
        .replace(/(?:^|\/)index$/, "");
      const address = `/${lineOf(page.head, "slug") ?? slugged(below)}/`;
      return { ...page, address };
    });
  const byAddress = new Map(docs.map(({ address, path: place }) => [plainAddress(address), place]));
  const find = (address: string) => {
    const own = byAddress.get(plainAddress(address));
    return own ?? byAddress.get(plainAddress(address.replace(/^\/[^/]+/, `/${main}`)));
  };
  return docs.flatMap(({ path: from, text, address }) =>
    writtenLinks(text, from.endsWith(".mdx") ? "mdx" : "md").flatMap(({ target }): Link[] => {
      const url = pathOfUrl(target, address);
      const to = url === null ? undefined : find(url);
      return to === undefined ? [] : [{ from, to, written: target }];
    }),
  );
};

const slugged = (place: string) =>
  place
    .toLowerCase()
    .replaceAll(" ", "-")
    .replace(/[^\p{L}\p{N}/_-]/gu, "");
