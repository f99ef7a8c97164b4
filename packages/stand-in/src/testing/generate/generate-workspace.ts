import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { integer, pick, type Random, seededRandom } from "../random.ts";
import { type Outline, type Planned, planOutline, sentenceOf, type WorkspaceShape } from "./outline.ts";

/** A file of a generated workspace. */
export interface GeneratedFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a workspace with a realistic shape: trees of pages, databases with rows and relations, links and mentions
 * (some pages are linked very often), and titles in several scripts. Pages and databases have explicit ids, so files can
 * be moved without becoming other pages.
 */
export function* generateWorkspace(shape: WorkspaceShape): Generator<GeneratedFile> {
  const outline = planOutline(shape);
  const random = seededRandom(shape.seed + 1);
  const write = createWriter(random, shape, outline);
  yield { path: "_workspace.yml", text: `name: Generated ${shape.seed}\n` };
  for (const page of outline.pages) yield write.page(page);
  for (const database of outline.databases) {
    yield write.database(database);
    for (const row of database.rows) yield write.page(row);
  }
}

const start = Date.UTC(2024, 0, 1);
const day = 86_400_000;
const states = ["Not started", "In progress", "Done"];

function createWriter(random: Random, shape: WorkspaceShape, outline: Outline) {
  const target = chooseTargets(random, outline);
  const links = shape.linksPerPage ?? 2;
  const relationShare = shape.relationShare ?? 0.5;
  return {
    page(page: Planned): GeneratedFile {
      const createdAt = start + integer(random, 0, 600) * day;
      const front = {
        title: page.title,
        id: page.id,
        created: new Date(createdAt).toISOString(),
        updated: new Date(createdAt + integer(random, 0, 300 * 1440) * 60_000).toISOString(),
        ...(page.kind === "row" ? columnsOf(random, page, relationShare) : {}),
      };
      const lines = Object.entries(front).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      const text = textOf(random, targetsOf(random, page, links, target));
      return {
        path: page.hasChildren ? `${page.path}/index.md` : `${page.path}.md`,
        text: `---\n${lines.join("\n")}\n---\n${text}\n`,
      };
    },
    database({ path, title, id, related }: Planned): GeneratedFile {
      const properties = {
        Status: { type: "select", options: states },
        Tags: { type: "multi_select" },
        Score: { type: "number" },
        Due: { type: "date" },
        ...(related === null ? {} : { Related: { type: "relation", database: `/${related.path}` } }),
      };
      const lines = Object.entries({ title, id, properties }).map(
        ([name, value]) => `${name}: ${JSON.stringify(value)}`,
      );
      return { path: `${path}/_database.yml`, text: `${lines.join("\n")}\n` };
    },
  };
}

function columnsOf(random: Random, { parent }: Planned, relationShare: number) {
  const others = parent?.related?.rows ?? [];
  const count = others.length > 0 && random() < relationShare ? integer(random, 1, 4) : 0;
  return {
    Status: pick(random, states),
    Tags: Array.from({ length: integer(random, 0, 3) }, () =>
      pick(random, ["red", "green", "blue", "urgent"]),
    ),
    Score: integer(random, 0, 100),
    Due: new Date(start + integer(random, 0, 900) * day).toISOString().slice(0, 10),
    Related: Array.from({ length: count }, () => linkPathOf(pick(random, others))),
  };
}

/** The number of targets is uniform in [0, 2 × average]. */
function targetsOf(random: Random, page: Planned, average: number, target: ChooseTarget): Planned[] {
  return Array.from({ length: integer(random, 0, Math.round(2 * average)) }, () => target(page));
}

const maxOpenFiles = 32;

/** Writes a generated workspace into a folder, and returns the number of files. Creates the folder if necessary. */
export async function writeWorkspace(directory: string, shape: WorkspaceShape): Promise<number> {
  const files = generateWorkspace(shape);
  const made = new Set<string>();
  let written = 0;
  const writeSome = async () => {
    for (const { path: name, text } of files) {
      const file = path.join(directory, name);
      const folder = path.dirname(file);
      if (!made.has(folder)) await mkdir(folder, { recursive: true });
      made.add(folder);
      await writeFile(file, text);
      written += 1;
    }
  };
  await Promise.all(Array.from({ length: maxOpenFiles }, writeSome));
  return written;
}

/** The path of a page or database from the root of the workspace, as links write it. */
function linkPathOf({ path, kind, hasChildren }: Planned): string {
  return kind === "database" || hasChildren ? `/${path}/` : `/${path}.md`;
}

/** The text of a page with links to `targets`: usually up to six blocks, rarely up to 200. */
function textOf(random: Random, targets: readonly Planned[]): string {
  const count = random() < 0.02 ? integer(random, 40, 200) : integer(random, 0, 6);
  const blocks = Array.from({ length: Math.max(count, targets.length) }, () => blockOf(random));
  for (const target of targets) {
    const index = integer(random, 0, blocks.length - 1);
    blocks[index] = `${sentenceOf(random, 4)} See ${linkTo(random, target)}.\n\n${blocks[index]}`;
  }
  return blocks.join("\n\n");
}

function linkTo(random: Random, target: Planned): string {
  if (random() < 0.5) return `[${pick(random, ["this", "the plan", "those notes"])}](${linkPathOf(target)})`;
  return `[[${target.path}]]`;
}

function blockOf(random: Random): string {
  const kind = random();
  if (kind < 0.1) return `## ${sentenceOf(random, 3)}`;
  if (kind < 0.25) return Array.from({ length: 4 }, () => `- ${sentenceOf(random, 6)}`).join("\n");
  if (kind < 0.3) return `\`\`\`js\nconst ${pick(random, ["a", "b"])} = "[[no link]]";\n\`\`\``;
  return Array.from({ length: integer(random, 1, 4) }, () => sentenceOf(random, integer(random, 6, 18))).join(
    " ",
  );
}

/** Chooses what a page links to: mostly pages near it, sometimes any page, sometimes one of a few hubs. */
type ChooseTarget = (from: Planned) => Planned;

function chooseTargets(random: Random, { pages, rows, databases }: Outline): ChooseTarget {
  const all = [...pages, ...rows, ...databases];
  const positions = new Map(all.map((one, index) => [one, index]));
  const hubs = Array.from({ length: Math.max(1, Math.round(all.length / 500)) }, () => pick(random, pages));
  return (from) => {
    const kind = random();
    // Zipf's law: the second hub has half as many links as the first.
    if (kind < 0.08) return hubs[Math.floor(hubs.length ** random()) - 1] ?? pick(random, hubs);
    if (kind < 0.4) return pick(random, all);
    const near = (positions.get(from) ?? 0) + integer(random, -25, 25);
    return all[near] ?? pick(random, all);
  };
}
