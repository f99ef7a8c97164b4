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
  readonly #onStep: () => Promise<void>;
  #names = 0;
  #texts = 0;

  /** `onStep` is called after each change of the folder. An edit may make several. */
  constructor(root: string, random: Random, onStep: () => Promise<void> = async () => {}) {
    this.#root = root;
    this.#random = random;
    this.#onStep = onStep;
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
      await this.#rename(`${one}.tmp`, one);
    },
    swap: ({ one, other }) => this.#rotate([...new Set([one, other])]),
    rotate: ({ one, other, files }) => this.#rotate([...new Set([one, other, this.#pick(files)])]),
    rename: ({ one }) =>
      this.#move(one, path.posix.join(path.posix.dirname(one), `renamed ${this.#count()}.md`)),
    case: ({ one }) =>
      this.#move(one, path.posix.join(path.posix.dirname(one), swapCase(path.posix.basename(one)))),
    move: ({ one, folders }) =>
      this.#move(one, path.posix.join(this.#pick([...folders, "", "deep/er"]), path.posix.basename(one))),
    delete: ({ one }) => this.#remove(one),
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
      if (folder !== null && left.length >= 5) await this.#remove(folder);
    },
    addFolder: async ({ files }) => {
      const folder = `new ${this.#count()}/deep/er`;
      for (let count = 0; count < 3; count += 1)
        await this.#write(`${folder}/${this.#newName()}`, this.#text(files));
    },
    overwrite: ({ one, other }) => this.#rename(one, other),
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
    await this.#rename(first, "kept");
    let free = first;
    for (const file of rest) {
      await this.#rename(file, free);
      free = file;
    }
    await this.#rename("kept", free);
  }

  async #move(from: string, to: string): Promise<void> {
    const isTaken = await stat(this.#place(to)).then(
      () => true,
      () => false,
    );
    if (isTaken) return;
    await mkdir(path.dirname(this.#place(to)), { recursive: true });
    await this.#rename(from, to);
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
    await this.#onStep();
  }

  async #rename(from: string, to: string): Promise<void> {
    await rename(this.#place(from), this.#place(to));
    await this.#onStep();
  }

  async #remove(name: string): Promise<void> {
    await rm(this.#place(name), { recursive: true });
    await this.#onStep();
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
    const tag = pick(this.#random, [
      "",
      "",
      "",
      " #tag",
      " #Tag",
      " #tag/below",
      ` #t${integer(this.#random, 1, 9)}`,
    ]);
    this.#texts += 1;
    // Most texts differ, a few are equal, and some are empty.
    const number = pick(this.#random, [`no. ${this.#texts}`, `no. ${this.#texts}`, "again"]);
    const text = `${pick(this.#random, ["one", "two", "three"])} ${number} ${link}${tag}`;
    const front = `---\nCount: ${integer(this.#random, 1, 9)}\n---\n`;
    return pick(this.#random, [`# ${title}\n\n${text}`, `${front}# ${title}\n\n${text}`, text, text, ""]);
  }

  #newName(): string {
    return `added ${this.#count()}.md`;
  }

  #count(): number {
    this.#names += 1;
    // Names are used again.
    return this.#names % 40;
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
