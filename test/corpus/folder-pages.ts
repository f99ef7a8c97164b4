import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { partFrontMatter, yamlAliases, yamlTitle } from "./front-matter.ts";
import { openingHeading } from "./opening-heading.ts";

/** The reason why a link is unresolved. */
export type Reason =
  | "no such page"
  | "no page of this name"
  | "not a page (asset)"
  | "outside the folder"
  | "not a valid address";

/** The target of a link, a page's file or a folder without a page of its own; or why it has none. */
export type Resolution = { readonly to: string } | { readonly reason: Reason };

/** The names of a page or database, other than that of its file. */
interface Names {
  readonly title: string;
  readonly aliases: readonly string[];
}

/** Resolves the links of a folder of Markdown. Paths are POSIX, relative to the root; the root itself is `""`. */
export class FolderPages {
  readonly pages: readonly string[];
  readonly #files: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;
  readonly #names: ReadonlyMap<string, Names>;

  /** Names are those of pages, and of databases by their folder. */
  constructor(files: readonly string[], names: ReadonlyMap<string, Names>) {
    this.#files = new Set(files);
    this.pages = files.filter(isPage);
    this.#folders = new Set(this.pages.flatMap(ancestors));
    this.#names = names;
  }

  /** Resolves an address in the page `from`; null for one to the same page or to another site. */
  resolve(from: string, address: string): Resolution | null {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return null;
    const written = address.replace(/[?#].*$/s, "");
    if (written === "") return null;
    const decoded = decode(written);
    const target = decoded ?? written;
    const tried = target.startsWith("/") ? this.#fromRoot(from, target) : this.#fromPage(from, target);
    for (const place of tried) {
      const found = /^\.\.(?:\/|$)/.test(place) ? null : this.#find(place);
      if (found !== null) return { to: found };
    }
    const named = target.includes("/") ? [] : this.pages.filter((page) => isCalled(page, target));
    const [only] = named;
    const isIndex = /^(?:_?index|readme)(?:\.mdx?)?$/i.test(target);
    if (only !== undefined && named.length === 1 && !isIndex) return { to: only };
    const isAsset = tried.some((place) => this.#isThere(place)) || this.#hasAsset(target);
    if (isAsset) return { reason: "not a page (asset)" };
    if (decoded === null) return { reason: "not a valid address" };
    const isOutside = /^\.\.(?:\/|$)/.test(tried[0] ?? "");
    return { reason: isOutside ? "outside the folder" : "no such page" };
  }

  /**
   * Resolves the inside of `[[Name#Heading|alias]]`: a file's name or a path, a title, or an alias; null for
   * `[[#Heading]]`.
   */
  resolveWiki(from: string, inside: string): Resolution | null {
    const written = inside
      .replace(/\\?\|.*$/s, "")
      .replace(/[#^].*$/s, "")
      .trim()
      .normalize("NFC");
    if (written === "") return null;
    const here = path.posix.dirname(from);
    if (/^\.\.?\//.test(written)) {
      const to = this.#find(path.posix.join(here, written));
      return to === null ? { reason: "no page of this name" } : { to };
    }
    const name = stem(written.replace(/^\/+|\/+$/g, ""));
    const endsSo = (place: string) => `/${stem(place)}`.toLowerCase().endsWith(`/${name}`.toLowerCase());
    const withText = [...this.#names.keys()].flatMap((file) => {
      const folder = path.posix.dirname(file);
      if (!isPage(file)) return endsSo(file) ? [file] : [];
      return folder !== "." && this.#indexOf(folder) === file && endsSo(folder) ? [file] : [];
    });
    const called = (by: (names: Names) => readonly string[]) =>
      [...this.#names]
        .filter(([, names]) => by(names).some((one) => fold(one) === fold(written)))
        .map(([file]) => file);
    const folders = [...this.#folders].filter((folder) => folder !== "" && endsSo(folder));
    for (const found of [
      this.pages.filter(endsSo),
      withText,
      called(({ title }) => [title]),
      called(({ aliases }) => aliases),
      folders,
    ]) {
      const [nearest] = found.toSorted(
        (one, other) =>
          this.#distance(one, name, here).localeCompare(this.#distance(other, name, here), "en") ||
          (one < other ? -1 : 1),
      );
      if (nearest !== undefined) return { to: nearest };
    }
    return { reason: this.#hasAsset(written) ? "not a page (asset)" : "no page of this name" };
  }

  /** A sort key for candidates: the exact path first, then pages in the same folder, then by length. */
  #distance(file: string, name: string, here: string): string {
    const folder = path.posix.dirname(file);
    const isOwnText =
      folder !== "." && this.#indexOf(folder) === file && !isCalled(file, path.posix.basename(name));
    const place = stem(isOwnText ? folder : file);
    const beside = [
      path.posix.join(here, name).toLowerCase(),
      path.posix.join(here, path.posix.basename(place)).toLowerCase(),
    ];
    const isExact = place.toLowerCase() === name.toLowerCase();
    const otherKind = beside.includes(place.toLowerCase()) ? 1 : 2;
    const kind = isExact ? 0 : otherKind;
    return `${kind} ${String(place.length).padStart(6, "0")} ${place.endsWith(name) ? 0 : 1}`;
  }

  /** Relative to the root and, as on sites whose pages are in a subfolder, to any top-level folder. */
  #fromRoot(from: string, target: string): readonly string[] {
    const own = from.split("/")[0] ?? "";
    const tops = [...this.#folders].filter((folder) => folder !== "" && !folder.includes("/")).sort();
    return ["", own, ...tops].map((base) => path.posix.join(base, `.${target}`));
  }

  /** Relative to the file and, if no file is named, to the page's own address, as on sites. */
  #fromPage(from: string, target: string): readonly string[] {
    const places = [path.posix.dirname(from), ...(isPage(target) ? [] : [stem(from)])];
    return places.map((place) => path.posix.join(place, target));
  }

  /**
   * A page as written, with an extension added, with the other extension (pages get renamed from `.md` to `.mdx`), or by
   * its folder. A folder without a page of its own comes last.
   */
  #find(target: string): string | null {
    const bare = target.replace(/^\/+|\/+$/g, "").replace(/^\.$/, "");
    const asPage = [
      bare,
      `${bare}.md`,
      `${bare}.mdx`,
      bare.replace(/\.md$/, ".mdx"),
      bare.replace(/\.mdx$/, ".md"),
    ].filter((candidate) => isPage(candidate) && this.#files.has(candidate));
    const asIndex = this.#indexOf(bare);
    const [page] = target.endsWith("/") && asIndex !== null ? [asIndex] : asPage;
    return page ?? asIndex ?? (bare !== "" && this.#folders.has(bare) ? bare : null);
  }

  /** A folder's index page. */
  #indexOf(folder: string): string | null {
    const isDatabase = this.#files.has(`${folder}/_database.yml`);
    const own = folder === "" || isDatabase ? [] : [path.posix.basename(folder)];
    const wanted = ["index", "_index", "readme", ...own].flatMap((name) => [`${name}.md`, `${name}.mdx`]);
    const here = this.pages.filter((page) => path.posix.dirname(page) === (folder || "."));
    for (const name of wanted) {
      const index = here.find((page) => path.posix.basename(page).toLowerCase() === name.toLowerCase());
      if (index !== undefined) return index;
    }
    return null;
  }

  #isThere(place: string): boolean {
    const bare = place.replace(/\/$/, "");
    return [...this.#files].some((file) => file === bare || file.startsWith(`${bare}/`));
  }

  #hasAsset(name: string): boolean {
    const ending = `/${name.replace(/^\/+/, "")}`.toLowerCase();
    return [...this.#files].some((file) => !isPage(file) && `/${file}`.toLowerCase().endsWith(ending));
  }
}

/** Reads a folder; symbolic links, `node_modules` and names that begin with a dot are left out. */
export async function readFolderPages(root: string): Promise<FolderPages> {
  const files = await listFiles(root, "");
  const names = new Map<string, Names>();
  for (const file of files) {
    const isDatabase = path.posix.basename(file) === "_database.yml";
    if (!isDatabase && !isPage(file)) continue;
    const source = await readFile(path.join(root, file), "utf8");
    const { head, body } = isDatabase ? { head: source, body: [] } : partFrontMatter(source);
    const title = yamlTitle(head) ?? openingHeading(body) ?? "";
    names.set(isDatabase ? path.posix.dirname(file) : file, { title, aliases: yamlAliases(head) });
  }
  return new FolderPages(files, names);
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

const fold = (name: string) => name.normalize("NFC").toLowerCase();

const stem = (file: string) => file.replace(/\.mdx?$/i, "");

const isCalled = (file: string, name: string) => fold(path.posix.basename(stem(file))) === fold(stem(name));

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
