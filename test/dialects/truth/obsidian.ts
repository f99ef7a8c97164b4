import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { decoded, type Link, type Source, type Truth } from "./folder.ts";

/**
 * Obsidian (help.obsidian.md: Internal links, Aliases, Properties, Embed files): a link names a file by its name or the end of its
 * path, in any case; with `./` or `../` it is relative. An alias is only offered while a person types. Properties hold links in quotes.
 */
export const obsidian: Truth = async ({ pages }) => {
  const byName = Map.groupBy(pages, ({ path: place }) => nameOf(place));
  const find = (from: string, written: string): string | null => {
    const name = written.replace(/#.*$/s, "").trim().normalize("NFC").replace(/\.md$/i, "");
    if (name === "") return null;
    const here = path.posix.dirname(from);
    const isRelative = /^\.\.?\//.test(name);
    const wanted = (isRelative ? path.posix.join(here, name) : name.replace(/^\/+/, "")).toLowerCase();
    const named = (byName.get(path.posix.basename(wanted)) ?? []).map(({ path: place }) => place);
    const exact = named.find((place) => stem(place) === wanted);
    if (exact !== undefined || isRelative) return exact ?? null;
    const ending = named.filter((place) => `/${stem(place)}`.endsWith(`/${wanted}`));
    const beside = ending.find((place) => path.posix.dirname(place) === here);
    return beside ?? ending.toSorted((a, b) => a.length - b.length)[0] ?? null;
  };
  return pages.flatMap((page) =>
    written(page).flatMap(({ kind, target }): Link[] => {
      const isOther = kind === "address" && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
      const name = kind === "wiki" ? target.replace(/\\?\|.*$/s, "") : decoded(target);
      const beside = kind === "address" ? find(page.path, `./${name}`) : null;
      const to = isOther ? null : (beside ?? find(page.path, name));
      return to === null ? [] : [{ from: page.path, to, written: target }];
    }),
  );
};

function written({ text, head }: Source) {
  const ofProperties = [...head.matchAll(/["'][^"'\n]*?\[\[([^[\]\n]+)\]\]/g)];
  return [
    ...writtenLinks(text, "md"),
    ...ofProperties.map(([, target = ""]) => ({ kind: "wiki" as const, target })),
  ];
}

const stem = (place: string) => place.replace(/\.md$/i, "").toLowerCase();
const nameOf = (place: string) => path.posix.basename(stem(place));
