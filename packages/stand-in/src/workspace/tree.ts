import type { Entry, Warning } from "./entry.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { iconOf } from "./icon.ts";
import { idOf } from "./ids.ts";
import type { ScannedFile, ScannedFolder } from "./scan.ts";
import { readSchema } from "./schema.ts";
import { minuteOf, timeOf } from "./time.ts";
import { prettyName, titleOf } from "./title.ts";

type Growing = Entry & { children: Entry[] };

/** The pages and databases that a folder holds: every Markdown file, and every folder with a page below it. */
export function growTree(workspace: ScannedFolder): { topLevel: Entry[]; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const warn = (path: string, message: string) => warnings.push({ path, message });
  const topLevel = entriesIn(workspace, workspace.files, null, warn);
  if (workspace.descriptions.has("_database.yml"))
    warn("_database.yml", "the workspace itself cannot be a database");
  return { topLevel, warnings };
}

type Warn = (path: string, message: string) => void;

function entriesIn(
  folder: ScannedFolder,
  files: readonly ScannedFile[],
  parent: Entry | null,
  warn: Warn,
): Entry[] {
  return [
    ...files.map((file) => pageOf(file, parent, warn)),
    ...folder.folders.filter(holdsPages).map((below) => entryOfFolder(below, parent, warn)),
  ];
}

function pageOf(file: ScannedFile, parent: Entry | null, warn: Warn): Entry {
  const { data, body } = textOf(file, warn);
  return {
    id: idOf("page", file.path),
    kind: "page",
    path: file.path,
    title: titleOf(data, body, prettyName(file.name)),
    icon: iconOf(data.icon),
    ...timesOf(data, file),
    parent,
    children: [],
    file,
    body,
    frontMatter: data,
    schema: null,
  };
}

function entryOfFolder(folder: ScannedFolder, parent: Entry | null, warn: Warn): Entry {
  const index = indexOf(folder.files);
  const { data, body } = index === null ? { data: {}, body: "" } : textOf(index, warn);
  const description = folder.descriptions.get("_database.yml");
  const schema = description === undefined ? null : schemaOf(description, warn);
  const kind = schema === null ? "page" : "database";
  const entry: Growing = {
    id: idOf(kind, folder.path),
    kind,
    path: folder.path,
    title: schema?.title ?? titleOf(data, body, folder.name),
    icon: iconOf(schema?.icon) ?? iconOf(data.icon),
    ...timesOf(data, index ?? folder),
    parent,
    children: [],
    file: index,
    body,
    frontMatter: data,
    schema,
  };
  const files = folder.files.filter((file) => file !== index);
  entry.children.push(...entriesIn(folder, files, entry, warn));
  return entry;
}

/** The file whose text is the folder's: `index` before `README`, `.md` before `.mdx`, in any case. */
function indexOf(files: readonly ScannedFile[]): ScannedFile | null {
  for (const name of ["index.md", "index.mdx", "readme.md", "readme.mdx"]) {
    const index = files.find((file) => file.name.toLowerCase() === name);
    if (index !== undefined) return index;
  }
  return null;
}

function holdsPages(folder: ScannedFolder): boolean {
  return (
    folder.files.length > 0 || folder.descriptions.has("_database.yml") || folder.folders.some(holdsPages)
  );
}

function textOf(file: ScannedFile, warn: Warn) {
  const { data, body, fault } = splitFrontMatter(file.text);
  if (fault !== null) warn(file.path, `the front matter is not used: ${fault}`);
  return { data, body };
}

function schemaOf(description: ScannedFile, warn: Warn) {
  const { schema, faults } = readSchema(description.text);
  for (const fault of faults) warn(description.path, fault);
  return schema;
}

function timesOf(data: Readonly<Record<string, unknown>>, file: { createdAt: number; editedAt: number }) {
  const createdAt = minuteOf(timeOf(data.created) ?? file.createdAt);
  return { createdAt, editedAt: Math.max(createdAt, minuteOf(timeOf(data.updated) ?? file.editedAt)) };
}
