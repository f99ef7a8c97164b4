import type { SourceReport } from "@clew/provider";
import { dialectOf } from "../dialects/detect.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { indexBlocks, type PlacedBlock, placeBlocks, type UnresolvedLink } from "../document/block.ts";
import { readDocument, readLine } from "../document/read-document.ts";
import type { LinkResolver } from "../document/references.ts";
import { type Flavour, flavourOf } from "../document/regions.ts";
import type { Span } from "../document/span.ts";
import { indexNames, indexPaths } from "../links/link-index.ts";
import {
  type LinkableFiles,
  type Resolution,
  resolveHyperlink,
  resolveWikiLink,
  type WrittenLink,
  writtenLinks,
} from "../links/resolve-link.ts";
import { hasSameSections, withSection } from "../links/sections.ts";
import type { DateSources } from "./dates.ts";
import { type Identity, type Person, readIdentity, readPeople } from "./descriptions.ts";
import type { Entry, Warning } from "./entry.ts";
import type { Forge } from "./forge.ts";
import { idOf, pagePrefix } from "./ids.ts";
import { readingFile } from "./left-out.ts";
import { Origins } from "./origins.ts";
import { type PageProperties, readProperties } from "./properties.ts";
import { type ScannedFolder, withFolders } from "./scan.ts";
import type { TextEdits } from "./scan-differences.ts";
import type { ScannedFile } from "./scanned-file.ts";
import { unreadParts, unreadWarnings } from "./skipped.ts";
import { FolderTags } from "./tags.ts";
import { reader, readTree, replaceInTree, withText, withTimes } from "./tree.ts";

/** A folder of Markdown as a workspace of pages and databases. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly people: readonly Person[];
  /** The address of a page's file at the forge that hosts the repository; null if there is none. */
  addressOf(page: Entry): string | null;
  /** How the folder was read, and what was left out. */
  readonly report: SourceReport;
  /** Every page and database, parents before their children. */
  readonly entries: readonly Entry[];
  readonly topLevel: readonly Entry[];
  readonly warnings: readonly Warning[];
  entry(id: string): Entry | null;
  /** The database of a data source. */
  databaseOf(dataSourceId: string): Entry | null;
  /** The rules by which the text of a page is read. */
  rulesOf(page: Entry): { readonly flavour: Flavour; readonly dialect: Dialect["id"] };
  /** Resolves the links of a page. */
  linksOf(page: Entry): LinkResolver;
  /** The blocks of a page, with child pages and databases at the end. */
  blocks(page: Entry): readonly PlacedBlock[];
  /** The block with this id, and its page. */
  block(id: string): { readonly page: Entry; readonly placed: PlacedBlock } | null;
  properties(page: Entry): PageProperties["properties"];
  /** The text and links in the Markdown of a page or database that is not shown. */
  hidden(entry: Entry): readonly Span[];
  /** The description of a database: the text of its folder's index. */
  description(database: Entry): readonly Span[];
  /** The tags of its pages. They are read at the first call. */
  tags(): FolderTags;
  /** Whether the tags have been read. */
  readonly hasReadTags: boolean;
  /** The target database of a relation, by its path in the schema. */
  related(database: Entry, path: string): Entry | null;
  /** The targets of everything that looks like a link, and of relations: ids, or kinds of other targets. Does not parse. */
  leadsTo(page: Entry): readonly string[];
  /** All unresolved links of all pages. Parses every page. */
  unresolvedLinks(): (UnresolvedLink & { readonly path: string })[];
  /**
   * The workspace after edits of texts, with the pages that are other objects in it. It shares the names and the tree with this one,
   * whose pages have the others as parents and children from now on. Null if it must be created anew: the edits change how a page is
   * named or read, or are too many.
   */
  edited(folder: ScannedFolder, edits: TextEdits, dates: DateSources): EditedWorkspace | null;
}

/** A workspace after edits. */
interface EditedWorkspace {
  readonly workspace: Workspace;
  readonly entries: readonly Entry[];
}

/** More pages are not kept apart from the names in which they were edited: the names hold their earlier texts. */
const maxEdited = 1_000;

/** The id of the single data source of a database. */
export function dataSourceIdOf(database: Entry): string {
  return idOf("data-source", database.id);
}

/** The context in which a folder is read. */
interface FolderContext {
  readonly dates: DateSources;
  readonly origins?: Origins;
  readonly forge?: Forge | null;
  /** Null for the id that the folder gives itself. */
  readonly workspaceId?: string | null;
}

/** Creates a workspace from a scanned folder. Pages are parsed on demand. */
export function createWorkspace(
  folder: ScannedFolder,
  fallbackName: string,
  { dates, origins = new Origins(), forge = null, workspaceId = null }: FolderContext,
): Workspace {
  const own = readIdentity(folder.descriptions.get("_workspace.yml")?.text ?? null, fallbackName);
  const identity = workspaceId === null ? own : { ...own, id: workspaceId };
  const { dialect, fault } = dialectOf(folder, identity.dialect);
  const { topLevel, warnings } = readTree(folder, dates, origins, dialect);
  const entries = topLevel.flatMap(withDescendants);
  const { people, faults } = readPeople(folder.descriptions.get("_people.yml")?.text ?? null);
  const unread = unreadParts(folder);
  const faulty: Warning[] = [
    ...warnings,
    ...(fault === null ? [] : [{ path: "_workspace.yml", message: fault }]),
    ...faults.map((message) => ({ path: "_people.yml", message })),
  ];
  const databases = entries.filter((entry) => entry.kind === "database");
  return workspaceOf({
    identity,
    people,
    dialect,
    forge,
    report: {
      dialect: dialect.name,
      unread: unread.unread,
      named: [...unread.named, ...faulty],
    },
    warnings: [...unreadWarnings(unread), ...faulty],
    topLevel,
    entries,
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    since: new Map(),
    bySource: new Map(databases.map((database) => [dataSourceIdOf(database), database.id])),
    linksOf: createLinks(folder, { dialect, forge, origins }, topLevel, entries),
  });
}

/** The parts of a workspace. An edit of a text replaces few of them. */
interface WorkspaceParts {
  readonly identity: Identity;
  readonly people: readonly Person[];
  readonly dialect: Dialect;
  readonly forge: Forge | null;
  readonly report: SourceReport;
  readonly warnings: readonly Warning[];
  readonly topLevel: readonly Entry[];
  readonly entries: readonly Entry[];
  /** The pages and databases as they were when names changed last, and those that were edited since. */
  readonly byId: ReadonlyMap<string, Entry>;
  readonly since: ReadonlyMap<string, Entry>;
  /** The ids of databases by those of their data sources. */
  readonly bySource: ReadonlyMap<string, string>;
  readonly linksOf: (entry: Entry) => LinkResolver;
}

function workspaceOf(parts: WorkspaceParts): Workspace {
  const { identity, people, dialect, forge, report, warnings, topLevel, entries } = parts;
  const { byId, since, bySource, linksOf } = parts;
  const entryOf = (id: string) => since.get(id) ?? byId.get(id) ?? null;
  let byPrefix: ReadonlyMap<string, readonly Entry[]> | null = null;

  const flavourOfPage = ({ file }: Entry) => dialect.flavour ?? flavourOf(file?.path ?? "");
  const read = (page: Entry) =>
    readDocument(dialect.prepare?.(page.body) ?? page.body, flavourOfPage(page), page.title, linksOf(page));
  const related = (database: Entry, path: string) => {
    const resolution = linksOf(database).hyperlink(`${path.replace(/\/?$/, "/")}`);
    const isDatabase = resolution.kind === "entry" && resolution.entry.kind === "database";
    return isDatabase ? entryOf(resolution.entry.id) : null;
  };
  const propertiesOf = createCache(20_000, (page: Entry) =>
    readingFile(page.file, () =>
      readProperties(page, linksOf(page), ({ database }) =>
        page.parent === null || database === null ? null : related(page.parent, database),
      ),
    ),
  );
  // Only the pages that are being read: parsed pages that stay longer make the heap grow.
  const blocksOf = createCache(50, (page: Entry) => {
    const text = page.kind === "database" ? [] : read(page).blocks;
    const children = page.kind === "database" ? [] : page.children.filter(({ inTrash }) => !inTrash);
    return placeBlocks(page.id, [
      ...text,
      ...children.map(({ id }) => ({ type: "child" as const, id, children: [] })),
    ]);
  });
  let tags: FolderTags | null = null;
  const indexOf = createCache(20, (page: Entry) => indexBlocks(blocksOf(page)));

  return {
    ...identity,
    people,
    report,
    entries,
    topLevel,
    warnings,
    addressOf: ({ file }) => (file === null ? null : (forge?.addressOf(file.path) ?? null)),
    entry: entryOf,
    databaseOf: (dataSourceId) => entryOf(bySource.get(dataSourceId) ?? ""),
    rulesOf: (page) => ({ flavour: flavourOfPage(page), dialect: dialect.id }),
    linksOf,
    blocks: blocksOf,
    block(id) {
      byPrefix ??= Map.groupBy(entries, (entry) => pagePrefix(entry.id));
      for (const page of byPrefix.get(pagePrefix(id)) ?? []) {
        const placed = indexOf(page).get(id);
        if (placed !== undefined) return { page, placed };
      }
      return null;
    },
    properties: (page) => propertiesOf(page).properties,
    tags() {
      tags ??= new FolderTags(identity.id, entries, dialect);
      return tags;
    },
    get hasReadTags() {
      return tags !== null;
    },
    hidden: (entry) =>
      entry.hidden === "" ? [] : readingFile(entry.file, () => readLine(entry.hidden, linksOf(entry))),
    description: (database) => readingFile(database.file, () => readLine(database.body, linksOf(database))),
    related,
    leadsTo: (page) => [
      ...linksIn(page.file, dialect).map(({ kind, target }) => {
        const links = linksOf(page);
        const resolution = kind === "wiki" ? links.wikiLink(target) : links.hyperlink(target);
        if (resolution.kind === "entry") return resolution.entry.id + (resolution.section ?? "");
        return resolution.kind === "unresolved" ? resolution.id : resolution.kind;
      }),
      ...propertiesOf(page).properties.flatMap(({ value }) =>
        value.type === "relation" ? value.ids.join("+") : [],
      ),
    ],
    unresolvedLinks: () =>
      entries.flatMap((entry) =>
        [...read(entry).unresolved, ...propertiesOf(entry).unresolved].map((link) => ({
          path: entry.file?.path ?? entry.path,
          ...link,
        })),
      ),
    edited: (folder, edits, dates) => withEdits(parts, folder, edits, dates),
  };
}

/** The workspace after edits of texts; null if names may differ. */
function withEdits(
  parts: WorkspaceParts,
  folder: ScannedFolder,
  edits: TextEdits,
  dates: DateSources,
): EditedWorkspace | null {
  const { dialect, identity, since } = parts;
  if (dialect.titlesElsewhere || dialectOf(folder, identity.dialect).dialect !== dialect) return null;
  if (since.size + edits.files.size + edits.folders.length > maxEdited) return null;
  const edited = editedEntries(parts.entries, edits, reader(folder, dialect), dates);
  if (edited === null) return null;
  const all = [...edited.values()];
  const latest = new Map([...since, ...all.map((entry) => [entry.id, entry] as const)]);
  const entries = [...parts.entries];
  for (const [index, entry] of edited) {
    entries[index] = entry;
    replaceInTree(entry, latest);
  }
  const topLevel = parts.topLevel.map((entry) => latest.get(entry.id) ?? entry);
  return { workspace: workspaceOf({ ...parts, entries, topLevel, since: latest }), entries: all };
}

/** The pages and databases with edited texts or other times, by their indexes; null if names may differ. */
function editedEntries(
  entries: readonly Entry[],
  { files, folders }: TextEdits,
  read: ReturnType<typeof reader>,
  dates: DateSources,
): ReadonlyMap<number, Entry> | null {
  const texts = new Map([...files].map(([file, before]) => [before, file]));
  const timed = new Map(folders.map((folder) => [folder.path, folder]));
  const edited = new Map<number, Entry>();
  for (const [index, entry] of entries.entries()) {
    const { file } = entry;
    if (file === null) {
      const times = timed.get(entry.path);
      if (times !== undefined) edited.set(index, withTimes(entry, times, dates));
      continue;
    }
    const text = texts.get(file);
    if (text === undefined) continue;
    const next = withText(entry, [file, text], read, dates);
    if (next === null || !hasSameSections(entry, next)) return null;
    edited.set(index, next);
    texts.delete(file);
  }
  return texts.size === 0 ? edited : null;
}

function withDescendants(entry: Entry): Entry[] {
  return [entry, ...entry.children.flatMap(withDescendants)];
}

/** The rules by which links of a folder are resolved, besides paths and names. */
interface LinkRules {
  readonly dialect: Dialect;
  readonly forge: Forge | null;
  readonly origins: Origins;
}

/** Creates the link resolver of each page. */
function createLinks(
  folder: ScannedFolder,
  { dialect, forge, origins }: LinkRules,
  topLevel: readonly Entry[],
  entries: readonly Entry[],
): (entry: Entry) => LinkResolver {
  const [, ...below] = withFolders(folder);
  const others = [...folder.others, ...below.flatMap((each) => each.others)];
  const files: LinkableFiles = {
    paths: indexPaths(entries),
    names: indexNames(entries, others),
    topFolders: folder.folders.map(({ path }) => path),
    others: new Set([...others, ...below.map(({ path }) => path)]),
    home: topLevel.find((entry) => /^(?:_?index|readme)\.mdx?$/i.test(entry.path)) ?? null,
    idOfMissing: (path) => origins.idOfMissing(path),
  };
  const plain = (entry: Entry): LinkResolver => {
    const from = entry.file?.path ?? `${entry.path}/index.md`;
    return {
      hyperlink: (target) => resolveHyperlink(files, from, target),
      wikiLink: (target) => resolveWikiLink(files, from, target),
    };
  };
  const atForge = (target: string): Resolution | null => {
    for (const place of forge?.pathsOf(target) ?? []) {
      const entry = files.paths.find(place, false);
      if (entry !== null) return { kind: "entry", entry };
    }
    return null;
  };
  const own = dialect.links?.({ ...files, folder, entries, plain });
  return (entry) => {
    const { hyperlink, wikiLink } = plain(entry);
    return {
      hyperlink: (target) =>
        withSection(atForge(target) ?? own?.hyperlink?.(entry, target) ?? hyperlink(target), target),
      wikiLink: (target) => withSection(own?.wikiLink?.(entry, target) ?? wikiLink(target), target),
    };
  };
}

const writtenIn = new WeakMap<Dialect, WeakMap<ScannedFile, readonly WrittenLink[]>>();

/** The links in a file as they are written. An unchanged file is the same object in the next workspace. */
function linksIn(file: ScannedFile | null, dialect: Dialect): readonly WrittenLink[] {
  if (file === null) return [];
  const known = writtenIn.get(dialect) ?? new WeakMap<ScannedFile, readonly WrittenLink[]>();
  writtenIn.set(dialect, known);
  const links =
    known.get(file) ?? readingFile(file, () => writtenLinks(dialect.prepare?.(file.text) ?? file.text));
  known.set(file, links);
  return links;
}

/** Caches the latest results of `compute`, at most `size`. Evicts the older half at once, which is cheaper than an LRU. */
function createCache<K, V>(size: number, compute: (key: K) => V): (key: K) => V {
  let recent = new Map<K, V>();
  let older = new Map<K, V>();
  return (key) => {
    const value = recent.get(key) ?? older.get(key) ?? compute(key);
    if (recent.size >= size / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, value);
    return value;
  };
}
