import { createRandom, type Random } from "./random.ts";
import type { WorkspaceShape } from "./shape.ts";
import { slugOf, titleOf } from "./words.ts";

/** A page or database that will be written. */
export interface Planned {
  readonly kind: "page" | "row" | "database";
  readonly title: string;
  readonly id: string;
  /** Without an ending: of a file where nothing lies below, and else of a folder. */
  readonly path: string;
  /** 1 at the top. */
  readonly depth: number;
  readonly parent: Planned | null;
  hasChildren: boolean;
  /** Of a database: the one that its relation leads to. */
  related: Planned | null;
  readonly rows: Planned[];
}

/** The pages and databases of a generated workspace, parents before their children. */
export interface Outline {
  readonly pages: readonly Planned[];
  readonly rows: readonly Planned[];
  readonly databases: readonly Planned[];
}

/** Plans the tree: top-level pages, each with a tree of three to nine levels below it, and databases hung into these. */
export function planOutline(shape: WorkspaceShape): Outline {
  const random = createRandom(shape.seed);
  const rowCount = Math.min(
    shape.pages - 5,
    Math.max(Math.round(shape.pages * (shape.rowShare ?? 0.35)), shape.largestDatabase ?? 0),
  );
  const pages = planPages(random, shape.pages - rowCount);
  const sizes = databaseSizes(rowCount, shape.largestDatabase ?? Math.ceil(rowCount / 3));
  // A row lies two levels below the page that its database hangs in.
  const places = pages.filter(({ depth }) => depth <= 7);
  const databases = sizes.map(() => plan(random, "database", random.pick(places)));
  for (const database of databases) {
    database.hasChildren = true;
    database.related = random.pick(databases);
  }
  const rows = databases.flatMap((database, index) => {
    const size = sizes[index] ?? 0;
    for (let count = 0; count < size; count += 1) database.rows.push(plan(random, "row", database));
    return database.rows;
  });
  return { pages, rows, databases };
}

/** Each tree grows from a page at the top; now and then at its deepest place, so that it gets as deep as it may. */
function planPages(random: Random, count: number): Planned[] {
  const topCount = Math.min(count, 40, Math.max(2, Math.round(count ** 0.35)));
  const trees = Array.from({ length: topCount }, () => {
    const top = plan(random, "page", null);
    return { deepest: random.whole(3, 9), growing: [top], last: top };
  });
  const pages = trees.map(({ last }) => last);
  while (pages.length < count) {
    const tree = random.pick(trees);
    const parent =
      random.chance(0.2) && tree.last.depth < tree.deepest ? tree.last : random.pick(tree.growing);
    const page = plan(random, "page", parent);
    if (page.depth < tree.deepest) tree.growing.push(page);
    if (page.depth >= tree.last.depth) tree.last = page;
    pages.push(page);
  }
  return pages;
}

/** One large database, and small ones, as workspaces have them. */
function databaseSizes(rows: number, largest: number): number[] {
  if (rows === 0) return [];
  const sizes = [Math.min(rows, largest)];
  for (let left = rows - Math.min(rows, largest); left > 0; ) {
    const size = Math.min(left, 10 + ((sizes.length * 37) % 120));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

function plan(random: Random, kind: Planned["kind"], parent: Planned | null): Planned {
  const title = titleOf(random);
  const id = uuidOf(random);
  // Ids are in the names: titles are not unique, and names must be.
  const name = `${slugOf(title)}-${id.slice(0, 8)}`;
  if (parent !== null) parent.hasChildren = true;
  return {
    kind,
    title,
    id,
    path: parent === null ? name : `${parent.path}/${name}`,
    depth: (parent?.depth ?? 0) + 1,
    parent,
    hasChildren: false,
    related: null,
    rows: [],
  };
}

/** A random UUID (version 4, RFC 9562). */
function uuidOf(random: Random): string {
  const hex = (digits: number) =>
    Math.floor(random.next() * 16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(["8", "9", "a", "b"])}${hex(3)}-${hex(6)}${hex(6)}`;
}
