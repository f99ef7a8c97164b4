import { isDeepStrictEqual } from "node:util";
import type { Dialect } from "../dialects/dialect.ts";
import { type DateSources, datesOf, type PageDates } from "./dates.ts";
import { readSchema } from "./descriptions.ts";
import type { Entry, Warning } from "./entry.ts";
import { iconOf, minuteOf } from "./front-matter.ts";
import { givenId } from "./ids.ts";
import { readingFile } from "./left-out.ts";
import { type Origins, placeOf } from "./origins.ts";
import { type ScannedFolder, withFolders } from "./scan.ts";
import type { ScannedFile } from "./scanned-file.ts";
import { aliasesOf, type ReadText, readText, withoutEnding } from "./title.ts";

/** The pages and databases of a folder: every Markdown file, and every folder with a page below it. */
export function readTree(
  workspace: ScannedFolder,
  dates: DateSources,
  origins: Origins,
  dialect: Dialect,
): { topLevel: Entry[]; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const read = reader(workspace, dialect);
  const reading: Reading = {
    givenIds: givenIdsIn(workspace, read),
    dates,
    read,
    origins,
    warn: (path, message) => warnings.push({ path, message }),
  };
  const topLevel = entriesIn(workspace, workspace.files, null, reading);
  if (workspace.descriptions.has("_database.yml"))
    reading.warn("_database.yml", "the workspace itself cannot be a database");
  return { topLevel, warnings };
}

/** Reads files by the rules of the folder's tool. */
export function reader(workspace: ScannedFolder, dialect: Dialect): (file: ScannedFile) => ReadText {
  return (file) =>
    readingFile(file, () => dialect.readText?.(file, readText(file), workspace) ?? readText(file));
}

/**
 * A page or database with the text of another file at the same path; null if that names it in another way, or has front matter
 * that differs.
 */
export function withText(
  entry: Entry,
  [before, file]: readonly [ScannedFile, ScannedFile],
  read: (file: ScannedFile) => ReadText,
  dates: DateSources,
): Entry | null {
  const [a, b] = [read(before), read(file)];
  const isNamedSame = a.title === b.title && isDeepStrictEqual(a.data, b.data);
  if (!isNamedSame || a.fault !== null || b.fault !== null) return null;
  return { ...entry, ...datesOf(b.data, file, dates), file, body: b.body, hidden: b.hidden };
}

/** The page or database of a folder without a text, with the times of the folder. */
export function withTimes(entry: Entry, folder: ScannedFolder, dates: DateSources): Entry {
  return { ...entry, ...datesOf(entry.frontMatter, inMinutes(folder), dates) };
}

/** The times of a folder, which programs change with each save of a file in it: its page is not edited more than once a minute. */
function inMinutes({ path, createdAt, editedAt }: ScannedFolder): PageDates & { readonly path: string } {
  return { path, createdAt: minuteOf(createdAt), editedAt: minuteOf(editedAt) };
}

/** Puts a page or database into the place of the one with the same id. `latest` has its parent if that was replaced too. */
export function replaceInTree(entry: Entry, latest: ReadonlyMap<string, Entry>): void {
  const { id, children } = entry;
  for (const child of children) child.parent = entry;
  if (entry.parent === null) return;
  const parent = latest.get(entry.parent.id) ?? entry.parent;
  entry.parent = parent;
  const index = parent.children.findIndex((child) => child.id === id);
  parent.children = parent.children.with(index, entry);
}

/** The state of the recursion. */
interface Reading {
  /** The pages and databases that have the ids which front matter gives: their paths. */
  readonly givenIds: ReadonlyMap<string, string>;
  readonly dates: DateSources;
  /** Reads a file by the rules of the folder's tool. */
  read(file: ScannedFile): ReadText;
  readonly origins: Origins;
  warn(path: string, message: string): void;
}

function entriesIn(
  folder: ScannedFolder,
  files: readonly ScannedFile[],
  parent: Entry | null,
  reading: Reading,
): Entry[] {
  return [
    ...files.map((file) => pageOf(file, parent, reading)),
    ...folder.folders.filter(holdsPages).map((below) => entryOfFolder(below, parent, reading)),
  ];
}

function pageOf(file: ScannedFile, parent: Entry | null, reading: Reading): Entry {
  const { data, body, hidden, title: given } = textOf(file, reading);
  const name = withoutEnding(file.name);
  const title = given ?? name;
  return {
    ...identityOf("page", file.path, file, data.id, reading),
    kind: "page",
    path: file.path,
    title,
    aliases: aliasesOf(title, name, data),
    icon: iconOf(data.icon),
    ...datesOf(data, file, reading.dates),
    inTrash: isInTrash(data, parent),
    parent,
    children: [],
    file,
    body,
    hidden,
    frontMatter: data,
    schema: null,
  };
}

function entryOfFolder(folder: ScannedFolder, parent: Entry | null, reading: Reading): Entry {
  const index = indexOf(folder);
  const { data, body, hidden, title: given } = index === null ? noText : textOf(index, reading);
  const description = folder.descriptions.get("_database.yml");
  const schema = description === undefined ? null : schemaOf(description, reading);
  const kind = schema === null ? "page" : "database";
  const title = schema?.title ?? given ?? titleOfFolder(folder.name, parent);
  const entry: Entry = {
    ...identityOf(kind, folder.path, index, schema?.id ?? data.id, reading),
    kind,
    path: folder.path,
    title,
    aliases: aliasesOf(title, folder.name, data),
    icon: iconOf(schema?.icon) ?? iconOf(data.icon),
    ...datesOf(data, index ?? inMinutes(folder), reading.dates),
    inTrash: schema?.inTrash === true || isInTrash(data, parent),
    parent,
    children: [],
    file: index,
    body,
    hidden,
    frontMatter: data,
    schema,
  };
  const files = folder.files.filter((file) => file !== index);
  entry.children = entriesIn(folder, files, entry, reading);
  return entry;
}

/** The name of a folder without a title of its own; within a year that of the day: `2026-03-22` for `2026/03/22`. */
function titleOfFolder(name: string, parent: Entry | null): string {
  const isDated = /^\d\d$/.test(name) && parent?.file === null && /^\d{4}(?:-\d\d)?$/.test(parent.title);
  return isDated ? `${parent.title}-${name}` : name;
}

const noText: ReadText = { data: {}, body: "", hidden: "", title: null, fault: null };

/** The ids that front matter gives, each with the path that has it: of several that give one, the first in the order of paths. */
function givenIdsIn(root: ScannedFolder, read: Reading["read"]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const add = (given: unknown, path: string) => {
    const id = givenId(given);
    const known = id === null ? undefined : paths.get(id);
    if (id !== null && (known === undefined || path < known)) paths.set(id, path);
  };
  for (const folder of withFolders(root)) {
    const index = folder === root ? null : indexOf(folder);
    for (const file of folder.files) if (file !== index) add(read(file).data.id, file.path);
    if (folder !== root) add(givenIdOf(folder, index, read), folder.path);
  }
  return paths;
}

/** The id that a folder gives itself as a page or database. */
function givenIdOf(folder: ScannedFolder, index: ScannedFile | null, read: Reading["read"]): unknown {
  const description = folder.descriptions.get("_database.yml");
  const own = description === undefined ? null : readSchema(description.text).schema.id;
  return own ?? (index === null ? null : read(index).data.id);
}

/** The id of front matter if no other page has it, else an id derived from the path at which the page was first. */
function identityOf(
  kind: Entry["kind"],
  path: string,
  file: ScannedFile | null,
  given: unknown,
  { givenIds, origins, warn }: Reading,
) {
  const id = givenId(given);
  const owner = id === null ? path : givenIds.get(id);
  if (id !== null && owner === path) return origins.given(kind, id);
  if (id !== null) warn(path, `ignored the id, which ${owner} has`);
  return origins.claim(kind, path, placeOf({ path, file }));
}

function isInTrash(data: Readonly<Record<string, unknown>>, parent: Entry | null): boolean {
  return data.in_trash === true || parent?.inTrash === true;
}

/**
 * The file with the folder's own text, in any case: `index`, Hugo's `_index`, `README`, or a note with the folder's name
 * (but in a database that is a row); `.md` before `.mdx`.
 */
function indexOf({ files, name: folder, descriptions }: ScannedFolder): ScannedFile | null {
  const byName = new Map(files.toReversed().map((file) => [file.name.toLowerCase(), file]));
  const folderNote = descriptions.has("_database.yml") ? [] : [folder.toLowerCase()];
  for (const name of ["index", "_index", "readme", ...folderNote]) {
    const index = byName.get(`${name}.md`) ?? byName.get(`${name}.mdx`);
    if (index !== undefined) return index;
  }
  return null;
}

function holdsPages(folder: ScannedFolder): boolean {
  return (
    folder.files.length > 0 || folder.descriptions.has("_database.yml") || folder.folders.some(holdsPages)
  );
}

function textOf(file: ScannedFile, { read, warn }: Reading) {
  const text = read(file);
  if (text.fault !== null) warn(file.path, `ignored the front matter: ${text.fault}`);
  return text;
}

function schemaOf(description: ScannedFile, { warn }: Reading) {
  const { schema, faults } = readingFile(description, () => readSchema(description.text));
  for (const fault of faults) warn(description.path, fault);
  return schema;
}
