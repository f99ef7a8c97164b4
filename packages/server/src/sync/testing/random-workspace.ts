/** A page or database of a workspace that a test invents, row of a database or not. */
interface Leaf {
  readonly number: number;
  readonly kind: "page" | "database";
  parent: number | null;
  version: number;
  editedAt: number;
  inTrash: boolean;
  links: readonly Link[];
}

/** A link to a leaf, or a mention: the tag of Notion's that stands in its place. */
interface Link {
  readonly to: number;
  readonly tag: `mention-${Leaf["kind"]}` | null;
}

/** Kinds of happenings, as often as a test is to draw each. */
export const happeningKinds = [
  "page",
  "page",
  "database",
  "edit",
  "edit",
  "rename",
  "move",
  "trash",
  "restore",
  "delete",
] as const;

/** Something that happens in the workspace; the numbers choose among what there is. */
export interface Happening {
  readonly what: (typeof happeningKinds)[number];
  readonly one: number;
  readonly other: number;
}

/** A workspace of three pages at the top that stay, and of what happens below them. */
export interface RandomWorkspace {
  happen(happening: Happening, now: number): void;
  /** The files that the stand-in makes that workspace of. */
  files(): Record<string, string>;
  /** A text of the provider's with mentions in place of some of its links; they show titles of now. */
  withMentions(markdown: string): string;
}

/** Titles of the pages at the top. */
export const roots = ["Root 0", "Root 1", "Root 2"] as const;

export function createRandomWorkspace(begun: number): RandomWorkspace {
  const leaves = new Map<number, Leaf>();
  let next = 0;
  const add = (kind: Leaf["kind"], parent: number | null, now: number) => {
    const leaf = { number: next, kind, parent, version: 0, editedAt: now, inTrash: false, links: [] };
    leaves.set(next, leaf);
    next += 1;
  };
  for (const _ of roots) add("page", null, begun);

  const all = () => [...leaves.values()];
  const chosen = (number: number, of: readonly Leaf[]) => of[number % Math.max(1, of.length)];
  const below = () => all().filter(({ parent }) => parent !== null);
  const isWithin = ({ number, parent }: Leaf, above: Leaf): boolean => {
    const holder = parent === null ? undefined : leaves.get(parent);
    return number === above.number || (holder !== undefined && isWithin(holder, above));
  };
  const touch = (leaf: Leaf, now: number) => {
    leaf.version += 1;
    leaf.editedAt = now;
  };

  /** Rows are pages: a database holds no other. */
  const holdersFor = (kind: Leaf["kind"]) =>
    all().filter((holder) => kind === "page" || holder.kind === "page");

  const linkTo = (to: number): Link => {
    const kind = leaves.get(to)?.kind;
    return { to, tag: kind === undefined || to % 2 === 0 ? null : `mention-${kind}` };
  };

  const happen: RandomWorkspace["happen"] = ({ what, one, other }, now) => {
    if (what === "page" || what === "database") {
      const holder = chosen(one, holdersFor(what));
      if (holder !== undefined) add(what, holder.number, now);
      return;
    }
    const leaf = chosen(one, what === "edit" ? all() : below());
    if (leaf === undefined) return;
    switch (what) {
      case "edit":
        leaf.links = [other, other + 1, other * 7].map((number) => linkTo(number % (next + 1)));
        return touch(leaf, now);
      case "rename":
        return touch(leaf, now);
      case "trash":
        leaf.inTrash = true;
        return;
      case "restore":
        leaf.inTrash = false;
        return;
      case "move": {
        const holder = chosen(
          other,
          holdersFor(leaf.kind).filter((to) => !isWithin(to, leaf)),
        );
        if (holder !== undefined) leaf.parent = holder.number;
        return;
      }
      case "delete":
        for (const gone of all().filter((some) => isWithin(some, leaf))) leaves.delete(gone.number);
    }
  };

  const pathOf = ({ number, parent }: Leaf): string => {
    const holder = parent === null ? undefined : leaves.get(parent);
    return `${holder === undefined ? "" : `${pathOf(holder)}/`}n${number}`;
  };

  return {
    happen,
    withMentions: (markdown) =>
      markdown.replaceAll(/\[(mention-\w+)\]\(([^)]*)\)/g, (_, tag, url) => {
        const mentioned = all().find(({ number }) => urlOf(number) === url);
        return `<${tag} url="${url}">${mentioned === undefined ? "Untitled" : titleOf(mentioned)}</${tag}>`;
      }),
    files: () =>
      Object.fromEntries(
        all().flatMap((leaf) => {
          const path = pathOf(leaf);
          const related = leaf.links.flatMap(({ to }) => leaves.get(to) ?? []).map(pathOf);
          const page = [`${path}/index.md`, pageText(leaf, related)] as const;
          return leaf.kind === "page" ? [page] : [page, [`${path}/_database.yml`, schema(leaf)] as const];
        }),
      ),
  };
}

const urlOf = (number: number) => `https://www.notion.so/${idOf(number).replaceAll("-", "")}`;

/** Ids differ in their first digits, from which the ids of blocks are made. */
function idOf(number: number): string {
  return `${(number + 16).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

const titleOf = ({ number, parent, version }: Leaf) =>
  parent === null ? roots[number] : `Leaf ${number}, version ${version}`;

function pageText(leaf: Leaf, related: readonly string[]): string {
  const edited = new Date(leaf.editedAt).toISOString();
  const links = leaf.links.map(({ to, tag }) => `[${tag ?? "there"}](${urlOf(to)})`);
  return [
    "---",
    ...(leaf.kind === "page" ? [`id: ${idOf(leaf.number)}`, `title: ${titleOf(leaf)}`] : []),
    "created: 2026-01-01T00:00:00Z",
    `updated: ${edited}`,
    `in_trash: ${leaf.inTrash}`,
    `Peers: [${related.map((path) => `/${path}/index.md`).join(", ")}]`,
    "---",
    `Version ${leaf.version} of these words: ${links.join(" ")}`,
    "",
  ].join("\n");
}

function schema(leaf: Leaf): string {
  return [
    `id: ${idOf(leaf.number)}`,
    `title: ${titleOf(leaf)}`,
    `in_trash: ${leaf.inTrash}`,
    "properties:",
    "  Peers: { type: relation, database: . }",
    "",
  ].join("\n");
}
