import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { integer, pick, type Random } from "@clew/stand-in/testing/random";

const minute = 60_000;

const kinds = [
  ...[
    "edit",
    "edit",
    "restore",
    "restore",
    "append",
    "replace",
    "swap",
    "rotate",
    "rename",
    "rename",
    "case",
  ],
  ...[
    "move",
    "delete",
    "add",
    "add",
    "touch",
    "copy",
    "index",
    "flatten",
    "moveFolder",
    "caseFolder",
    "deleteFolder",
  ],
  ...["addFolder", "overwrite", "database"],
] as const;

/** A folder that is edited at random, as people and programs do: with new times, and with the old ones restored. */
export class EditedFolder {
  readonly #root: string;
  readonly #random: Random;
  #serial = 0;

  constructor(root: string, random: Random) {
    this.#root = root;
    this.#random = random;
  }

  /** Writes the first files. */
  async fill(count: number): Promise<void> {
    const names = Array.from(
      { length: count },
      (_, index) => `${pick(this.#random, places)}note ${index}.md`,
    );
    for (const name of names) await this.#write(name, this.#text(names));
  }

  /** Makes one edit, and returns its kind. */
  async edit(): Promise<string> {
    const kind = pick(this.#random, kinds);
    const { files, folders } = await this.#list();
    // A folder that is empty would be a failure.
    const [one, other] = files.length < 5 ? [undefined, undefined] : [this.#pick(files), this.#pick(files)];
    if (one === undefined || other === undefined) {
      await this.#write(this.#newName(), this.#text(files));
      return "add";
    }
    await this.#edits[kind]({ one, other, files, folders });
    return kind;
  }

  readonly #edits: Readonly<Record<(typeof kinds)[number], (found: Found) => Promise<unknown>>> = {
    edit: ({ one, files }) => this.#write(one, this.#text(files)),
    restore: async ({ one, files }) => {
      const { atime, mtime } = await stat(this.#place(one));
      await this.#write(one, this.#text(files));
      await utimes(this.#place(one), atime, mtime);
    },
    append: async ({ one, other }) =>
      this.#write(one, `${await readFile(this.#place(one), "utf8")}\n\n[[${nameOf(other)}]]`),
    replace: async ({ one, files }) => {
      await this.#write(`${one}.tmp`, this.#text(files));
      await rename(this.#place(`${one}.tmp`), this.#place(one));
    },
    swap: ({ one, other }) => this.#rotate([...new Set([one, other])]),
    rotate: ({ one, other, files }) => this.#rotate([...new Set([one, other, this.#pick(files)])]),
    rename: ({ one }) =>
      this.#move(one, path.posix.join(path.posix.dirname(one), `renamed ${this.#count()}.md`)),
    case: ({ one }) =>
      this.#move(one, path.posix.join(path.posix.dirname(one), swapCase(path.posix.basename(one)))),
    move: ({ one, folders }) =>
      this.#move(one, path.posix.join(this.#pick([...folders, "", "deep/er"]), path.posix.basename(one))),
    delete: ({ one }) => rm(this.#place(one)),
    add: ({ files }) => this.#write(this.#newName(), this.#text(files)),
    touch: async ({ one }) => {
      const { atime, mtime } = await stat(this.#place(one));
      await utimes(
        this.#place(one),
        atime,
        new Date(mtime.getTime() - integer(this.#random, 1, 90) * minute),
      );
    },
    copy: async ({ one }) =>
      this.#write(`copy ${this.#count()}.md`, await readFile(this.#place(one), "utf8")),
    index: ({ one }) => this.#move(one, `${one.replace(/\.md$/, "")}/index.md`),
    flatten: ({ one }) => this.#move(one, path.posix.basename(one)),
    moveFolder: ({ folders }) =>
      this.#moveFolder(folders, (folder) => `moved ${this.#count()} ${path.posix.basename(folder)}`),
    caseFolder: ({ folders }) =>
      this.#moveFolder(folders, (folder) =>
        path.posix.join(path.posix.dirname(folder), swapCase(path.posix.basename(folder))),
      ),
    deleteFolder: async ({ folders, files }) => {
      const folder = folders.length === 0 ? null : this.#pick(folders);
      const left = files.filter((file) => !file.startsWith(`${folder}/`));
      if (folder !== null && left.length >= 5) await rm(this.#place(folder), { recursive: true });
    },
    addFolder: async ({ files }) => {
      const folder = `new ${this.#count()}/deep/er`;
      for (let count = 0; count < 3; count += 1)
        await this.#write(`${folder}/${this.#newName()}`, this.#text(files));
    },
    overwrite: ({ one, other }) => rename(this.#place(one), this.#place(other)),
    database: ({ folders }) =>
      this.#write(
        `${folders.length === 0 ? "rows" : this.#pick(folders)}/_database.yml`,
        "properties: { Count: number }",
      ),
  };

  async #list(): Promise<{ files: string[]; folders: string[] }> {
    const found = await readdir(this.#root, { withFileTypes: true, recursive: true });
    const at = (entry: (typeof found)[number]) =>
      path.relative(this.#root, path.join(entry.parentPath, entry.name));
    return {
      files: found
        .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
        .map(at)
        .sort(),
      folders: found
        .filter((entry) => entry.isDirectory())
        .map(at)
        .sort(),
    };
  }

  async #rotate(files: readonly string[]): Promise<void> {
    const [first, ...rest] = files;
    if (first === undefined) return;
    await rename(this.#place(first), this.#place("kept"));
    let free = first;
    for (const file of rest) {
      await rename(this.#place(file), this.#place(free));
      free = file;
    }
    await rename(this.#place("kept"), this.#place(free));
  }

  async #move(from: string, to: string): Promise<void> {
    const isTaken = await stat(this.#place(to)).then(
      () => true,
      () => false,
    );
    if (isTaken) return;
    await mkdir(path.dirname(this.#place(to)), { recursive: true });
    await rename(this.#place(from), this.#place(to));
  }

  async #moveFolder(folders: readonly string[], nameFor: (folder: string) => string): Promise<void> {
    if (folders.length === 0) return;
    const folder = this.#pick(folders);
    const to = nameFor(folder);
    if (!`${to}/`.startsWith(`${folder}/`)) await this.#move(folder, to);
  }

  async #write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(this.#place(name)), { recursive: true });
    await writeFile(this.#place(name), text);
  }

  /** A text that links to other files, by paths and by names. */
  #text(files: readonly string[]): string {
    const { length } = files;
    const target = () => (length === 0 ? "missing.md" : pick(this.#random, [...files, "missing.md"]));
    const link = pick(this.#random, [
      `[x](</${target()}>)`,
      `[[${nameOf(target())}|x]]`,
      `[[${nameOf(target())}]]`,
      "",
    ]);
    const title = `${pick(this.#random, ["Title", "Other", "Same"])} ${integer(this.#random, 1, 9)}`;
    // Few texts are equal, and some are empty.
    const tag = pick(this.#random, [
      "",
      "",
      "",
      " #tag",
      " #Tag",
      " #tag/below",
      ` #t${integer(this.#random, 1, 9)}`,
    ]);
    const text = `${pick(this.#random, ["one", "two", "three"])} ${integer(this.#random, 1, 40)} ${link}${tag}`;
    return pick(this.#random, [`# ${title}\n\n${text}`, `# ${title}\n\n${text}`, text, ""]);
  }

  #newName(): string {
    return `added ${this.#count()}.md`;
  }

  #count(): number {
    this.#serial += 1;
    // Names are used again.
    return this.#serial % 40;
  }

  #pick(items: readonly string[]): string {
    return pick(this.#random, items);
  }

  #place(name: string): string {
    return path.join(this.#root, name);
  }
}

interface Found {
  readonly one: string;
  readonly other: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const places = ["", "", "guides/", "guides/deep/", "rows/", "notes/"];

function nameOf(file: string): string {
  return path.posix.basename(file, ".md");
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase().replace(/MD$/, "md") : text.toLowerCase();
}
