import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { partFrontMatter, yamlTitle } from "./front-matter.ts";

/** Why a link leads to no page. */
export type Reason =
  | "no such page"
  | "no page of this title"
  | "not a page (asset)"
  | "outside the folder"
  | "not a valid address";

/** Where a link leads: a page's file, or a folder that has no page of its own; or why nowhere. */
export type Resolution = { readonly to: string } | { readonly reason: Reason };

/** A folder of Markdown as links see it. Paths are POSIX, relative to the root; the root itself is `""`. */
export class FolderPages {
  readonly pages: readonly string[];
  readonly #files: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;
  readonly #titles: ReadonlyMap<string, string>;

  constructor(files: readonly string[], titles: ReadonlyMap<string, string>) {
    this.#files = new Set(files);
    this.pages = files.filter(isPage);
    this.#folders = new Set(this.pages.flatMap(ancestors));
    this.#titles = titles;
  }

  /** Resolves an address that stands in the page `from`; null for one that stays on its page or leaves the site. */
  resolve(from: string, address: string): Resolution | null {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return null;
    const written = address.replace(/[?#].*$/s, "");
    if (written === "") return null;
    const target = decode(written);
    if (target === null) return { reason: "not a valid address" };
    return target.startsWith("/")
      ? this.#fromRoot(from, target)
      : this.#fromFolder(path.posix.dirname(from), target);
  }

  /** Resolves the inside of `[[Title#Heading|alias]]`: a title, a file's name, or a path; null for `[[#Heading]]`. */
  resolveWiki(from: string, inside: string): Resolution | null {
    const name = inside
      .replace(/\\?\|.*$/s, "")
      .replace(/#.*$/s, "")
      .trim();
    if (name === "") return null;
    const titled = this.#titles.get(foldTitle(name));
    if (titled !== undefined) return { to: titled };
    const to = this.#find(name) ?? this.#find(path.posix.join(path.posix.dirname(from), name));
    return to === null ? { reason: "no page of this title" } : { to };
  }

  /** Against the root and, as sites whose pages lie in a subfolder do, against the own and any top-level folder. */
  #fromRoot(from: string, target: string): Resolution {
    const own = from.split("/")[0] ?? "";
    const tops = [...this.#folders].filter((folder) => folder !== "" && !folder.includes("/")).sort();
    for (const base of ["", own, ...tops]) {
      const found = target === "/" && base !== "" ? null : this.#find(path.posix.join(base, target));
      if (found !== null) return { to: found };
    }
    return this.#nowhere(path.posix.normalize(target).slice(1));
  }

  #fromFolder(folder: string, target: string): Resolution {
    const joined = path.posix.join(folder, target);
    const found = joined.startsWith("../") || joined === ".." ? null : this.#find(joined);
    return found === null ? this.#nowhere(joined) : { to: found };
  }

  #nowhere(target: string): Resolution {
    if (/^\.\.(?:\/|$)/.test(target)) return { reason: "outside the folder" };
    const isAsset = this.#files.has(target) || (/\.[a-z][a-z0-9]{0,5}$/i.test(target) && !isPage(target));
    return { reason: isAsset ? "not a page (asset)" : "no such page" };
  }

  /**
   * A page as written, with an extension added or with the other one (pages get renamed from `.md` to `.mdx`), or by its
   * folder; a folder that only holds pages comes last.
   */
  #find(target: string): string | null {
    const bare = target.replace(/^\/+|\/+$/g, "").replace(/^\.$/, "");
    const inFolder = (file: string) => (bare === "" ? file : `${bare}/${file}`);
    const asPage = [
      bare,
      `${bare}.md`,
      `${bare}.mdx`,
      bare.replace(/\.md$/, ".mdx"),
      bare.replace(/\.mdx$/, ".md"),
    ];
    const asIndex = ["index.md", "index.mdx", "README.md", "README.mdx"].map(inFolder);
    const candidates = target.endsWith("/") ? [...asIndex, ...asPage] : [...asPage, ...asIndex];
    const page = candidates.find((candidate) => isPage(candidate) && this.#files.has(candidate));
    return page ?? (bare !== "" && this.#folders.has(bare) ? bare : null);
  }
}

/** Reads a folder; symbolic links, `node_modules` and names that begin with a dot are left out. */
export async function readFolderPages(root: string): Promise<FolderPages> {
  const files = await listFiles(root, "");
  const titles = new Map<string, string>();
  const stems = new Map<string, string>();
  for (const file of files) {
    const title = await titleOf(root, file);
    if (title === null) continue;
    addFirst(titles, title, file.endsWith("/_database.yml") ? path.posix.dirname(file) : file);
    addFirst(stems, stemOf(file), file);
  }
  for (const [stem, file] of stems) addFirst(titles, stem, file);
  return new FolderPages(files, titles);
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules")) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await listFiles(root, file)));
    else if (entry.isFile()) files.push(file);
  }
  return files.sort();
}

/** A page's title: of its front matter, its first heading, or its name. A database folder's is in `_database.yml`. */
async function titleOf(root: string, file: string): Promise<string | null> {
  const isDatabase = path.posix.basename(file) === "_database.yml";
  if (!isDatabase && !isPage(file)) return null;
  const source = await readFile(path.join(root, file), "utf8");
  if (isDatabase) return yamlTitle(source);
  const { head, body } = partFrontMatter(source);
  return (
    yamlTitle(head) ??
    body
      .find((line) => /^# /.test(line))
      ?.slice(2)
      .trim() ??
    stemOf(file)
  );
}

/** A file's name without its extension; for an index, its folder's. */
function stemOf(file: string): string {
  const stem = path.posix.basename(file).replace(/\.[^.]*$/, "");
  return /^(?:index|readme|_database)$/i.test(stem) ? path.posix.basename(path.posix.dirname(file)) : stem;
}

function addFirst(map: Map<string, string>, title: string, file: string): void {
  const key = foldTitle(title);
  if (!map.has(key)) map.set(key, file);
}

const foldTitle = (title: string) => title.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();

const isPage = (file: string) => /\.mdx?$/i.test(file);

function ancestors(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === "." ? [""] : [...ancestors(folder), folder];
}

function decode(address: string): string | null {
  try {
    return decodeURIComponent(address);
  } catch {
    return null;
  }
}
