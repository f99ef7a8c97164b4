import path from "node:path";
import { type Link, lineOf, type Source, type Truth } from "./folder.ts";

/**
 * Logseq (docs.logseq.com: Page, Properties, Alias, Tags, Block Reference, Namespaces; config.edn): a page is a file of `pages` or `journals`
 * that `:hidden` does not name. Its name is `title::`, else that of its file, where `___` is `/` and `%` introduces a byte.
 * Names and aliases mean the same page in any case. `[[name]]`, `#name`, `#[[name]]`, names in `tags::`, `((block))`.
 */
export const logseq: Truth = async ({ pages, read }) => {
  const config = (await read("logseq/config.edn")) ?? "";
  const hidden = [
    ...(/:hidden \[([^\]]*)\]/.exec(config.replace(/;.*$/gm, ""))?.[1]?.matchAll(/"\/?([^"]+)"/g) ?? []),
  ];
  const isHidden = (place: string) =>
    hidden.some(([, one = ""]) => place === one || place.startsWith(`${one}/`));
  const shown = pages.filter(({ path: place }) => /\.md$/.test(place) && !isHidden(place));
  const names = new Map<string, string>();
  const blocks = new Map<string, string>();
  for (const { path: place, text } of shown) names.set(pageName({ path: place, text }), place);
  for (const { path: place, text } of shown) {
    for (const alias of (property(text, "alias") ?? "").split(/[,，]/)) {
      const name = bare(alias);
      if (name !== "" && !names.has(name)) names.set(name, place);
    }
    for (const [, id = ""] of text.matchAll(/^[ \t]*(?:- )?id:: ([0-9a-f-]{36})[ \t]*$/gm))
      blocks.set(id, place);
  }
  return shown.flatMap(({ path: from, text }) =>
    written(text).flatMap((written): Link[] => {
      const id = /^\(\((.*)\)\)$/.exec(written)?.[1];
      const to = id === undefined ? names.get(bare(written)) : blocks.get(id);
      return to === undefined ? [] : [{ from, to, written }];
    }),
  );
};

function pageName({ path: place, text }: Pick<Source, "path" | "text">): string {
  const file = path.posix.basename(place).replace(/\.md$/, "").replaceAll("___", "/");
  const decoded = file.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => decodeURIComponent(bytes));
  return bare(property(text, "title") ?? decoded);
}

/** A property in the first block of a page. */
function property(text: string, name: string): string | null {
  const [first = ""] = text.split(/\n(?=\s*(?:- |#|$))/, 1);
  return lineOf(first.replace(/^- /, ""), `${name}:`);
}

const bare = (name: string) =>
  name
    .trim()
    .replace(/^#/, "")
    .replace(/^\[\[(.*)\]\]$/, "$1")
    .trim()
    .normalize("NFC")
    .toLowerCase();

function written(text: string): string[] {
  const prose = text
    .replace(/^([ \t]*(?:- )?)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\2[ \t]*$/gm, "")
    .replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, "");
  const lists = [...prose.matchAll(/^[ \t]*(?:- )?(?:tags|alias):: (.*)$/gm)]
    .filter(([line]) => line.includes("tags::"))
    .flatMap(([, value = ""]) => value.split(/[,，]/));
  const links = prose.matchAll(
    /\[\[((?:[^[\]\n]|\[\[[^[\]\n]*\]\])+)\]\]|\(\([0-9a-f-]{36}\)\)|(?<=^|\s)#(?!\[\[)([^\s#,.!?;:"'()[\]]+)/gm,
  );
  return [...lists, ...[...links].map(([whole, name, tag]) => name ?? tag ?? whole)];
}
