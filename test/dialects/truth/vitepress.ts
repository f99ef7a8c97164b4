import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { type Link, pathOfUrl, plainAddress, type Truth } from "./folder.ts";

/**
 * VitePress (vitepress.dev: Routing, Markdown extensions, Default theme: home page): the address of a page is its path below `srcDir`. A link has it
 * with `.md`, `.html` or neither, and `index` stands for its folder. `link:` in the front matter of a home page is a link, and
 * `<!--@include: ./x.md-->` puts a file into the page.
 */
export const vitepress: Truth = async ({ pages, read }) => {
  const configs = await Promise.all(
    ["", "docs/"].flatMap((root) =>
      ["ts", "mts", "js", "mjs"].map(async (ending) => ({
        root,
        text: await read(`${root}.vitepress/config.${ending}`),
      })),
    ),
  );
  const config = configs.find(({ text }) => text !== null);
  const source = /srcDir:\s*["']([^"']+)["']/.exec(config?.text ?? "")?.[1] ?? "";
  const root = path.posix.join(config?.root ?? "", source).replace(/^\.$|\/$/g, "");
  const prefix = root === "" ? "" : `${root}/`;
  const docs = pages.filter(({ path: place }) => place.startsWith(prefix));
  const addressOf = (place: string) => `/${place.slice(prefix.length)}`;
  const byAddress = new Map(
    docs.map(({ path: place }) => [plainAddress(addressOf(place).replace(/\.md$/, "")), place]),
  );
  return docs.flatMap(({ path: from, text, head }) => {
    const actions = [...head.matchAll(/^\s*(?:- )?link:\s*(\S+)/gm)].map(([, target = ""]) => target);
    const included = [...text.matchAll(/<!--\s*@include:\s*([^\s{#]+)/g)].map(([, target = ""]) => target);
    return [...writtenLinks(text, "md").map(({ target }) => target), ...actions, ...included].flatMap(
      (target): Link[] => {
        const url = pathOfUrl(target, addressOf(from));
        const to = url === null ? undefined : byAddress.get(plainAddress(url.replace(/\.md$/, "")));
        return to === undefined ? [] : [{ from, to, written: target }];
      },
    );
  });
};
