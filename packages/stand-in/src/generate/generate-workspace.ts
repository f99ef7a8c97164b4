import { type Outline, type Planned, planOutline } from "./outline.ts";
import { linkPathOf, textOf } from "./page-text.ts";
import { createRandom, type Random } from "./random.ts";
import type { WorkspaceShape } from "./shape.ts";
import { type ChooseTarget, chooseTargets } from "./targets.ts";

/** A file of a generated workspace. */
export interface GeneratedFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a workspace shaped like real ones: trees of pages, databases with rows and relations, links and mentions
 * with hubs among their targets, titles in several scripts. Every page and database has an id of its own, so that files
 * can be moved and stay the same pages.
 */
export function* generateWorkspace(shape: WorkspaceShape): Generator<GeneratedFile> {
  const outline = planOutline(shape);
  const random = createRandom(shape.seed + 1);
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
      const createdAt = start + random.whole(0, 600) * day;
      const front = {
        title: page.title,
        id: page.id,
        created: new Date(createdAt).toISOString(),
        updated: new Date(createdAt + random.whole(0, 300 * 1440) * 60_000).toISOString(),
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
  const count = others.length > 0 && random.chance(relationShare) ? random.whole(1, 4) : 0;
  return {
    Status: random.pick(states),
    Tags: Array.from({ length: random.whole(0, 3) }, () => random.pick(["red", "green", "blue", "urgent"])),
    Score: random.whole(0, 100),
    Due: new Date(start + random.whole(0, 900) * day).toISOString().slice(0, 10),
    Related: Array.from({ length: count }, () => linkPathOf(random.pick(others))),
  };
}

/** From none to twice the average, each number as likely as the others. */
function targetsOf(random: Random, page: Planned, average: number, target: ChooseTarget): Planned[] {
  return Array.from({ length: random.whole(0, Math.round(2 * average)) }, () => target(page));
}
