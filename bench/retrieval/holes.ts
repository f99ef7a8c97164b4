import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MeasuredClew, withClew } from "./served.ts";

/** A question whose answer is false if a part of it is left out without a mark (README.md). */
export interface Hole {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly max_tokens: number;
  /** The page with the answer. */
  readonly file: string;
  /** Texts that must all be shown, in the order of the page, or else a mark stands where one is missing. */
  readonly all: readonly string[];
  /** Headings that must stand above the first text, and headings that must not come between. */
  readonly below?: readonly string[];
  readonly not_below?: readonly string[];
}

const outcomes = ["whole", "marked", "not shown", "false answer"] as const;

interface Judgement {
  readonly outcome: (typeof outcomes)[number];
  /** Texts and headings that are not shown. */
  readonly missing: readonly string[];
}

const folder = join(import.meta.dirname, "holes");

/** Asks each question, prints what is not whole, and counts. */
export function countHoles(): Promise<void> {
  return withClew(folder, ask);
}

async function ask({ agent }: MeasuredClew): Promise<void> {
  const holes: readonly Hole[] = JSON.parse(await readFile(join(import.meta.dirname, "holes.json"), "utf8"));
  const counts = new Map<string, number>();
  for (const hole of holes) {
    const { id, file, question, max_tokens } = hole;
    const { text } = await agent.use("build_context", { question, max_tokens });
    const { outcome, missing } = judge(hole, await readFile(join(folder, file), "utf8"), text);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== "whole") console.log(`${outcome}: ${id}: ${question} (${missing.join("; ")})`);
    if (process.env.ANSWERS !== undefined) console.log(text.replaceAll(/^/gm, "    "));
  }
  const parts = outcomes.map((outcome) => `${outcome} ${counts.get(outcome) ?? 0}`);
  console.log(`${holes.length} questions: ${parts.join(", ")}`);
}

/** Says whether an answer shows what it must of a page, given as its file. */
export function judge(hole: Hole, page: string, answer: string): Judgement {
  const title = /^title: (.*)$/m.exec(page)?.[1] ?? "";
  const entry = plain(entryOf(answer, title));
  const isShown = (text: string) => entry.includes(plain(text));
  const missing = hole.all.filter((text) => !isShown(text));
  if (missing.length === hole.all.length) return { outcome: "not shown", missing };
  const first = hole.all.find(isShown) ?? "";
  const lost = lostHeadings(hole, entry.slice(0, entry.indexOf(plain(first))));
  if (lost.length > 0) return { outcome: "false answer", missing: lost };
  if (missing.length === 0) return { outcome: "whole", missing };
  // Of a table, only the number of rows has to be said.
  const isCounted = hole.kind === "table" && /\[\d+ of \d+ \p{L}+\]/u.test(entry);
  const unmarked = isCounted ? [] : missing.filter((text) => !gapAt(text, page, entry).includes("[…]"));
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

/** The part of the entry between the lines of the page that are shown before and after a missing text. */
function gapAt(missing: string, page: string, entry: string): string {
  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const place = lines.findIndex((line) => plain(line).includes(plain(missing)));
  let [from, to] = [0, entry.length];
  for (const [index, line] of lines.entries()) {
    const start = entry.indexOf(plain(line), from);
    if (start === -1 || index === place) continue;
    if (index > place) {
      to = start;
      break;
    }
    from = start + plain(line).length;
  }
  return entry.slice(from, to);
}

/** Without addresses of links and signs of Markdown but brackets, and with each run of spaces as one. */
const plain = (text: string) =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*_`|\\]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
