import path from "node:path";
import type { Entry } from "../workspace/entry.ts";
import { withoutEnding } from "../workspace/title.ts";
import { containersAsElements } from "./containers.ts";
import { type Dialect, folderWithSettings, settingsIn } from "./dialect.ts";
import { siteLinks } from "./site.ts";

const settings = /^docusaurus\.config\./;

/**
 * Docusaurus (https://docusaurus.io/docs/create-doc, /docs/blog, /docs/markdown-features/links). The address of a doc is that of the docs, its folder without
 * the numbers that sort it, and its `slug`, its `id` or its file's name; that of a post has its date.
 */
export const docusaurus: Dialect = {
  id: "docusaurus",
  name: "Docusaurus",
  detects: (folder) => folderWithSettings(folder, settings) !== null,
  // Files with the ending .md are MDX too (https://docusaurus.io/docs/markdown-features).
  flavour: "mdx",
  prepare: containersAsElements,
  links(files) {
    const project = folderWithSettings(files.folder, settings);
    const text = project === null ? "" : (settingsIn(project, settings) ?? "");
    const base = /routeBasePath:\s*["'`]([^"'`]*)/.exec(text)?.[1] ?? "docs";
    return siteLinks(files, { addressOf: (entry) => addressOf(entry, path.posix.join("/", base)) });
  },
};

const post = /(?:^|\/)blog\/(?:(.*)\/)?(\d{4})[-/](\d\d)[-/](\d\d)[-/](.+?)(?:\/index)?$/is;

function addressOf({ file, frontMatter }: Entry, base: string): string | null {
  const place = withoutEnding(file?.path ?? "");
  const slug = typeof frontMatter.slug === "string" ? frontMatter.slug : null;
  const [, folder = "", year, month, day, name] = post.exec(place) ?? [];
  if (name !== undefined)
    return path.posix.join("/blog", slug ?? path.posix.join(folder, `${year}/${month}/${day}/${name}`));
  const [, doc] = /(?:^|\/)docs\/(.*)$/s.exec(place) ?? [];
  const [, page] = /(?:^|\/)src\/pages\/(.*)$/s.exec(place) ?? [];
  if (doc !== undefined) return addressOfDoc(doc, slug, frontMatter.id, base);
  return page === undefined ? null : `/${page.replace(/(?:^|\/)index$/i, "/")}`;
}

function addressOfDoc(below: string, slug: string | null, id: unknown, base: string): string {
  const parts = below.split("/").map(withoutNumber);
  const name = parts.pop() ?? "";
  if (slug?.startsWith("/")) return path.posix.join(base, slug);
  if (slug !== null) return path.posix.join(base, ...parts, slug);
  const isIndex = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === parts.at(-1)?.toLowerCase();
  if (isIndex) return path.posix.join(base, ...parts, "/");
  return path.posix.join(base, ...parts, typeof id === "string" ? id : name);
}

/** A name without the number that sorts it: `01-intro`, `2. Next` (but no date or version). */
function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}
