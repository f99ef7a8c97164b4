import { indexBlocks, type PlacedBlock, placeBlocks, type UnresolvedLink } from "../document/block.ts";
import { isTooLong, readDocument, readLine } from "../document/read-document.ts";
import type { LinkResolver } from "../document/references.ts";
import { flavourOf } from "../document/regions.ts";
import type { Span } from "../document/span.ts";
import { indexNames, indexPaths } from "../links/link-index.ts";
import { resolveHyperlink, resolveWikiLink, type Site, writtenLinks } from "../links/resolve-link.ts";
import { type Person, readIdentity, readPeople } from "./descriptions.ts";
import type { Entry, Warning } from "./entry.ts";
import { idOf, pagePrefix } from "./ids.ts";
import { type PageProperties, readProperties } from "./properties.ts";
import type { ScannedFolder } from "./scan.ts";
import { growTree } from "./tree.ts";

/** A folder of Markdown, seen as a workspace of pages and databases. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly people: readonly Person[];
  /** Every page and database, parents before their children. */
  readonly entries: readonly Entry[];
  readonly topLevel: readonly Entry[];
  readonly warnings: readonly Warning[];
  entry(id: string): Entry | null;
  /** The database whose rows a data source holds. */
  databaseOf(dataSourceId: string): Entry | null;
  /** The blocks of a page, those of its child pages and databases at the end. */
  blocks(page: Entry): readonly PlacedBlock[];
  /** The block of this id, with the page that holds it. */
  block(id: string): { readonly page: Entry; readonly placed: PlacedBlock } | null;
  properties(page: Entry): PageProperties["properties"];
  /** What a database says of itself: the text of its folder's index. */
  description(database: Entry): readonly Span[];
  /** The database that a relation leads to, by the path in the schema. */
  related(database: Entry, path: string): Entry | null;
  /** Where a page's links and relations seem to lead: ids, there or not, or what else it is. Parses no Markdown. */
  leadsTo(page: Entry): readonly string[];
  /** Every link into the workspace that leads nowhere, page by page. Reads all pages. */
  unresolvedLinks(): (UnresolvedLink & { readonly path: string })[];
}

/** The id of the one data source of a database. */
export function dataSourceIdOf(database: Entry): string {
  return idOf("data-source", database.origin);
}

/** Makes a workspace of what was read from a folder. Pages are parsed when they are first asked for. */
export function createWorkspace(folder: ScannedFolder, fallbackName: string): Workspace {
  const { topLevel, warnings } = growTree(folder);
  const entries = topLevel.flatMap(withDescendants);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const databases = entries.filter((entry) => entry.kind === "database");
  const bySource = new Map(databases.map((database) => [dataSourceIdOf(database), database]));
  const byPrefix = Map.groupBy(entries, (entry) => pagePrefix(entry.id));
  const linksOf = createLinks(folder, topLevel, entries);
  const identity = readIdentity(folder.descriptions.get("_workspace.yml")?.text ?? null, fallbackName);
  const { people, faults } = readPeople(folder.descriptions.get("_people.yml")?.text ?? null);

  const read = (page: Entry) =>
    readDocument(page.body, flavourOf(page.file?.path ?? ""), page.title, linksOf(page));
  const related = (database: Entry, path: string) => {
    const resolution = linksOf(database).hyperlink(`${path.replace(/\/?$/, "/")}`);
    return resolution.kind === "entry" && resolution.entry.kind === "database" ? resolution.entry : null;
  };
  const propertiesOf = createCache(20_000, (page: Entry) =>
    readProperties(page, linksOf(page), ({ database }) =>
      page.parent === null || database === null ? null : related(page.parent, database),
    ),
  );
  const blocksOf = createCache(1_000, (page: Entry) => {
    const text = page.kind === "database" ? [] : read(page).blocks;
    const children = page.kind === "database" ? [] : page.children.filter(({ inTrash }) => !inTrash);
    return placeBlocks(page.id, [
      ...text,
      ...children.map(({ id }) => ({ type: "child" as const, id, children: [] })),
    ]);
  });
  const indexOf = createCache(20, (page: Entry) => indexBlocks(blocksOf(page)));

  return {
    ...identity,
    people,
    entries,
    topLevel,
    warnings: [
      ...warnings,
      ...faults.map((message) => ({ path: "_people.yml", message })),
      ...entries.filter(({ body }) => isTooLong(body)).map(({ path }) => ({ path, message: tooLong })),
    ],
    entry: (id) => byId.get(id) ?? null,
    databaseOf: (dataSourceId) => bySource.get(dataSourceId) ?? null,
    blocks: blocksOf,
    block(id) {
      for (const page of byPrefix.get(pagePrefix(id)) ?? []) {
        const placed = indexOf(page).get(id);
        if (placed !== undefined) return { page, placed };
      }
      return null;
    },
    properties: (page) => propertiesOf(page).properties,
    description: (database) => readLine(database.body, linksOf(database)),
    related,
    leadsTo: (page) => [
      ...writtenLinks(page.file?.text ?? "").map(({ kind, target }) => {
        const links = linksOf(page);
        const resolution = kind === "wiki" ? links.wikiLink(target) : links.hyperlink(target);
        if (resolution.kind === "entry") return resolution.entry.id;
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
  };
}

const tooLong = "the text is taken as it is, for it is too long: its links are not followed";

function withDescendants(entry: Entry): Entry[] {
  return [entry, ...entry.children.flatMap(withDescendants)];
}

/** What resolves the links of a page. */
function createLinks(
  folder: ScannedFolder,
  topLevel: readonly Entry[],
  entries: readonly Entry[],
): (entry: Entry) => LinkResolver {
  const files = filesIn(folder);
  const site: Site = {
    paths: indexPaths(entries),
    names: indexNames(entries, files),
    topFolders: folder.folders.map(({ path }) => path),
    others: new Set([...files, ...foldersIn(folder)]),
    home: topLevel.find((entry) => /^(?:_?index|readme)\.mdx?$/i.test(entry.path)) ?? null,
  };
  return (entry) => {
    const from = entry.file?.path ?? `${entry.path}/index.md`;
    return {
      hyperlink: (target) => resolveHyperlink(site, from, target),
      wikiLink: (target) => resolveWikiLink(site, from, target),
    };
  };
}

/** Paths of files that are no pages. */
function filesIn(folder: ScannedFolder): string[] {
  return [...folder.others, ...folder.folders.flatMap(filesIn)];
}

function foldersIn(folder: ScannedFolder): string[] {
  return folder.folders.flatMap((below) => [below.path, ...foldersIn(below)]);
}

/**
 * Keeps what was computed last: at most `size` results. Those that were not asked for go by halves, which costs nothing
 * where one map in the order of use would have to find its oldest entry again and again.
 */
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
