import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MeasuredClew, withClew } from "./served.ts";

/** A question whose answer is false if a part of it is left out without a mark (README.md). */
interface Hole {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly max_tokens: number;
  readonly page: string;
  /** Texts that must all be shown, in the order of the page, or else a mark stands where one is missing. */
  readonly all: readonly string[];
  /** Headings that must stand above the first text, and headings that must not come between. */
  readonly below?: readonly string[];
  readonly not_below?: readonly string[];
}

const outcomes = ["whole", "marked", "not shown", "false answer"] as const;
type Outcome = (typeof outcomes)[number];

const holesFolder = join(import.meta.dirname, "holes");

/** Asks each question, prints what is false, and counts. */
export function countHoles(): Promise<void> {
  return withClew(holesFolder, ask);
}

async function ask({ agent }: MeasuredClew): Promise<void> {
  const holes: readonly Hole[] = JSON.parse(await readFile(join(import.meta.dirname, "holes.json"), "utf8"));
  const counts = new Map<Outcome, number>();
  for (const hole of holes) {
    const { question, max_tokens } = hole;
    const { text } = await agent.use("build_context", { question, max_tokens });
    const { outcome, missing } = judge(hole, text);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== "whole") console.log(`${outcome}: ${hole.id}: ${question} (${missing.join("; ")})`);
    if (process.env.ANSWERS !== undefined) console.log(text.replaceAll(/^/gm, "    "));
  }
  const parts = outcomes.map((outcome) => `${outcome} ${counts.get(outcome) ?? 0}`);
  console.log(`${holes.length} questions: ${parts.join(", ")}`);
}

function judge(hole: Hole, answer: string): { outcome: Outcome; missing: readonly string[] } {
  const entry = plain(entryOf(answer, hole.page));
  const places = hole.all.map((text) => entry.indexOf(plain(text)));
  const missing = hole.all.filter((_, index) => places[index] === -1);
  if (missing.length === hole.all.length) return { outcome: "not shown", missing };
  const lost = lostHeadings(hole, entry.slice(0, places[0]));
  if (lost.length > 0) return { outcome: "false answer", missing: lost };
  if (missing.length === 0) return { outcome: "whole", missing };
  const unmarked = missing.filter((text) => !isMarked(entry, places, hole.all.indexOf(text)));
  return unmarked.length === 0
    ? { outcome: "marked", missing }
    : { outcome: "false answer", missing: unmarked };
}

/** The part of the answer that shows a page: from its title to the next title. No text of the folder has headings of the first level. */
function entryOf(answer: string, title: string): string {
  const entries = answer.split(/^(?=# )/m);
  return entries.find((entry) => entry.startsWith(`# ${title}`)) ?? "";
}

/** The headings that do not stand above a passage, and those that stand in their place. */
function lostHeadings({ below = [], not_below: others = [] }: Hole, above: string): string[] {
  let from = 0;
  const lost: string[] = [];
  for (const heading of below) {
    const place = above.lastIndexOf(heading);
    if (place < from) lost.push(heading);
    else from = place;
  }
  const [first] = below;
  const start = first === undefined ? above.length : above.lastIndexOf(first);
  return [...lost, ...others.filter((heading) => above.includes(heading, start))];
}

/** A mark of omission: `[…]` between what is shown before and after, or a count such as `[2 of 14 rows]` anywhere. */
function isMarked(entry: string, places: readonly number[], missing: number): boolean {
  const before = Math.max(0, ...places.slice(0, missing));
  const after = places.slice(missing + 1).find((place) => place !== -1) ?? entry.length;
  return entry.slice(before, after).includes("[…]") || /\[\d+ of \d+ \p{L}+\]/u.test(entry);
}

/** Without signs of Markdown but brackets, and with each run of spaces as one. */
const plain = (text: string) => text.replaceAll(/[*_`|\\]/g, " ").replaceAll(/\s+/g, " ");
