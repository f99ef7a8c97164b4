import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { type Link, lineOf, pathOfUrl, plainAddress, type Source, type Truth } from "./folder.ts";

/** The files with the settings of a site, best first. */
const settings = ["config/_default/", ""].flatMap((folder) =>
  ["hugo", "config"].flatMap((name) => ["yaml", "yml", "toml"].map((ending) => `${folder}${name}.${ending}`)),
);

/**
 * Hugo (gohugo.io: URL management, Multilingual mode, Page bundles, Links and cross references): the address of a page is its path below
 * `content`, with `slug`, `url` and `aliases`; the default language has no prefix. A link is an address: relative to that of its page, or absolute. An
 * absolute one leads to the page of the same language if there is one, as in sites whose render hook asks `GetPage`. `ref` and
 * `relref` name a page by path, or by name if it is the only one.
 */
export const hugo: Truth = async ({ pages, read }) => {
  const found = await Promise.all(settings.map((file) => read(file)));
  const config = found.find((text) => text !== null) ?? "";
  const main = lineOf(config, "defaultContentLanguage") ?? "en";
  const listed = /^languages:\n((?:[ \t]+.*\n|\n)+)/m.exec(config)?.[1] ?? "";
  const inYaml = listed.matchAll(/^ {2}([\w-]+):/gm);
  const inToml = config.matchAll(/^[ \t]*\[languages\.([\w-]+)\]/gm);
  const languages = new Set([...inYaml, ...inToml].map(([, name = ""]) => name));
  const places = pages
    .filter(({ path: place }) => place.startsWith("content/"))
    .map((page) => placeOf(page, languages, main));
  const byAddress = new Map<string, string>();
  const add = (address: string, file: string) => {
    if (!byAddress.has(plainAddress(address))) byAddress.set(plainAddress(address), file);
  };
  for (const { address, file } of places) add(address, file);
  const byPath = new Map(
    places.map(({ language, below, file }) => [`${language} /${below}`.toLowerCase(), file]),
  );
  for (const { aliases, address, file } of places) {
    for (const alias of aliases) add(pathOfUrl(alias, address) ?? alias, file);
  }
  return places.flatMap(({ file: from, text: whole, address, language, below }) => {
    const text = whole.replace(/<!--.*?-->/gs, "");
    const toPath = (written: string) => {
      const [target = ""] = written.split("#");
      const name = target
        .replace(/(?:\/?_?index)?\.md$/, "")
        .replace(/\/$/, "")
        .toLowerCase();
      const beside = path.posix.join("/", path.posix.dirname(below), name);
      const named = places.filter(
        (one) => one.language === language && path.posix.basename(one.below).toLowerCase() === name,
      );
      return (
        byPath.get(`${language} ${name.startsWith("/") ? name : beside}`) ??
        byPath.get(`${language} /${name}`) ??
        (named.length === 1 ? named[0]?.file : undefined)
      );
    };
    const shortcodes = [...text.matchAll(/\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?"?([^"\s>%]+)"?/g)];
    return [
      ...shortcodes.map(([, target = ""]) => ({
        target,
        to: target.startsWith("#") ? undefined : toPath(target),
      })),
      ...writtenLinks(text, "md").map(({ target }) => {
        if (target.includes("{{")) return { target, to: undefined };
        const [absolute] = target.startsWith("/") && !target.startsWith("//") ? target.split(/[?#]/) : [];
        const own =
          absolute === undefined
            ? undefined
            : byPath.get(`${language} ${absolute.replace(/\/$/, "") || "/"}`.toLowerCase());
        const url = pathOfUrl(target, address);
        return { target, to: own ?? (url === null ? undefined : byAddress.get(plainAddress(url))) };
      }),
    ].flatMap(({ target, to }): Link[] => (to === undefined ? [] : [{ from, to, written: target }]));
  });
};

function placeOf({ path: file, text, head }: Source, languages: ReadonlySet<string>, main: string) {
  const [first = "", ...rest] = file.replace(/^content\//, "").split("/");
  const hasLanguage = languages.has(first);
  const language = hasLanguage ? first : main;
  const whole = hasLanguage ? rest.join("/") : [first, ...rest].join("/");
  const below = whole.replace(/\.md$/, "").replace(/(?:^|\/)_?index$/, "");
  const prefix = language === main ? "" : `/${language}`;
  const slug = lineOf(head, "slug");
  const given = lineOf(head, "url");
  const place = slug === null ? below : path.posix.join(path.posix.dirname(below), slug);
  const list = /^aliases:[ \t]*(.*)((?:\n[ \t]*- .*)*)(?:\n[ \t]+[^\n]*)*/m.exec(head)?.[0] ?? "";
  const aliases = [...list.replace(/^aliases:/, "").matchAll(/[^\s,[\]"'-][^\s,[\]"']*/g)].map(
    ([alias]) => alias,
  );
  const own = given === null ? `/${place}/` : given;
  return {
    file,
    text,
    language,
    below,
    address: own.startsWith("/") ? `${prefix}${own}` : `${prefix}/${own}`,
    aliases,
  };
}
