import { registerHooks } from "node:module";
import type { ContextJob } from "./contexts.ts";
import { printFigures } from "./figures.ts";
import { measureContexts } from "./quick.ts";
import type { QuestionSet } from "./sets.ts";

/** A change to a line of packages/context that leaves one part of the ranking out. */
interface Change {
  readonly file: string;
  readonly line: string;
  readonly changed: string;
}

const constant = (file: string, name: string, value: number, changed = 0): Change => ({
  file: `${file}.ts`,
  line: `const ${name} = ${value};`,
  changed: `const ${name} = ${changed};`,
});

/** The parts that are left out in turn. */
const changes: Readonly<Record<string, Change | null>> = {
  "as it is": null,
  "without related words": constant("word-matching", "relatedShare", 0.5),
  "without neighbouring passages": constant("scores", "neighborWeight", 0.6),
  "without sections": constant("scores", "sectionWeight", 0.5),
  "without headings": constant("scores", "headingWeight", 0.4),
  "without the title": constant("scores", "titleWeight", 0.3),
  "without words around links": constant("scores", "linkingWeight", 0.5),
  "without the page's rank": constant("scores", "pageWeight", 0.65),
  "without links in the page's rank": constant("candidates", "linkShare", 0.8),
  "without the whole of a page": constant("scores", "wholePageShare", 0.5),
  "with words of conversation": {
    file: "question.ts",
    line: "const wanted = isTopical;",
    changed: "const wanted = isTelling;",
  },
  "with copies of pages": constant("pages", "commonShare", 0.6, 2),
  "without introductions": constant("pages", "introducedShare", 0.5),
  "without a second step from named pages": constant("candidates", "secondStep", 0.7),
  "without named pages": constant("context", "leastShare", 0.1, 2),
  "with single passages": constant("context", "wholeShare", 0.33),
  "code like other text": constant("scores", "codePenalty", 0.35),
  "rows like other text": constant("scores", "rowPenalty", 0.1),
};

const ranking = new URL("../../packages/context/src/", import.meta.url).href;
const parameter = "?ablation=";

/*
 * Loads the job once more for each change, with a copy of packages/context in which the line is changed: a module that
 * is imported with the parameter passes it on to the modules of the ranking.
 */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = context.parentURL?.split(parameter) ?? [];
    return name !== undefined && resolved.url.startsWith(ranking)
      ? { ...resolved, url: `${resolved.url}${parameter}${name}` }
      : resolved;
  },
  load(url, context, next) {
    const [address = "", name = ""] = url.split(parameter);
    const loaded = next(address, context);
    const change = changes[decodeURIComponent(name)];
    if (!change || address !== ranking + change.file) return loaded;
    const source = String(loaded.source);
    if (!source.includes(change.line)) throw new Error(`${change.file} has no line "${change.line}"`);
    return { ...loaded, source: source.replace(change.line, change.changed) };
  },
});

async function jobWith(name: string): Promise<ContextJob> {
  const job = `../../packages/server/src/queries/context-job.ts${parameter}${encodeURIComponent(name)}`;
  return ((await import(job)) as { contextJob: ContextJob }).contextJob;
}

/** Prints what contexts hold with each part of the ranking left out in turn. */
export async function measureParts(sets: readonly QuestionSet[]): Promise<void> {
  if (sets.some(({ isForTuning }) => !isForTuning))
    throw new Error("what single parts do to the sets for proof would be used for tuning");
  await measureContexts(sets, async (set, questions, contexts) => {
    for (const name of Object.keys(changes))
      await printFigures(set, questions, name, contexts.gatherBy(await jobWith(name)));
  });
}
