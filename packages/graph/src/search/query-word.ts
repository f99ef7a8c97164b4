import { at } from "../column.ts";
import { frequentSet } from "./frequent-sets.ts";
import { type Occurrence, occurrenceOf } from "./occurrence.ts";
import { once } from "./once.ts";
import type { RankSet } from "./rank-set.ts";
import type { SetPool } from "./set-pool.ts";
import { lengthOf, type Range, rangeOf } from "./sorted-positions.ts";
import { forEachSuffix, suffixesWith, type TitleIndex } from "./title-index.ts";
import { mayHaveTypo, runsWithTypo } from "./typo.ts";
import { isPlain, isRun, runsOf } from "./words.ts";

/** A word of a query and the titles that match it, in sets that are made when they are first asked for. */
export interface QueryWord {
  /** About how many titles match, to begin with the rarest word. */
  readonly weight: number;
  /** How the word stands in a title. */
  readonly occurrenceIn: (place: number) => Occurrence;
  /** The titles in which it begins a word. */
  readonly beginning: () => RankSet;
  /** The titles in which it occurs. */
  readonly occurring: () => RankSet;
  /** The titles in which it occurs, or begins a word but for a typo. null where no typo can be forgiven in it. */
  readonly resembling: (() => RankSet) | null;
}

export function queryWord(index: TitleIndex, pool: SetPool, text: string): QueryWord {
  return isRun(text) ? oneRun(index, pool, text) : manyRuns(index, pool, text);
}

/** A word of letters or of signs alone. A title has it where one of its runs does. */
function oneRun(index: TitleIndex, pool: SetPool, text: string): QueryWord {
  const { runs, postings, postingOffsets } = index;
  const runCount = runs.offsets.length - 1;
  const all = { from: 0, to: runCount };
  const first = (run: number) => at(postingOffsets, run);
  const addRuns = (set: RankSet, { from, to }: Range) => set.addAll(postings, first(from), first(to));

  const asItIs = rangeOf(runs.units, runs.offsets, text, all);
  // Signs begin a word after a space alone, which their run then has.
  const begun = isPlain(text) ? asItIs : rangeOf(runs.units, runs.offsets, ` ${text}`, all);
  const addOccurring = (set: RankSet) => {
    addRuns(set, asItIs);
    forEachSuffix(index, text, (run) => addRuns(set, { from: run, to: run + 1 }));
  };
  const setOf = (name: string, size: number, fill: (set: RankSet) => void) =>
    once(() => {
      const make = () => {
        const set = pool.take(index.nodes.length);
        fill(set);
        return set;
      };
      return size > index.nodes.length / 32 ? frequentSet(index, `${name} ${text}`, make) : make();
    });
  const weight =
    first(asItIs.to) -
    first(asItIs.from) +
    (lengthOf(suffixesWith(index, text)) * postings.length) / runCount;
  const resembling = setOf("resembling", weight, (set) => {
    addOccurring(set);
    runsWithTypo(index, text, (found) => addRuns(set, found));
  });
  return {
    weight,
    occurrenceIn: occurrenceAt(index, text),
    beginning: setOf("beginning", first(begun.to) - first(begun.from), (set) => addRuns(set, begun)),
    occurring: setOf("occurring", weight, addOccurring),
    resembling: isPlain(text) && mayHaveTypo(text) ? resembling : null,
  };
}

/** A word such as `C++`: the titles that have the rarest of its runs are looked through. */
function manyRuns(index: TitleIndex, pool: SetPool, text: string): QueryWord {
  const parts = runsOf(text).map((run) => oneRun(index, pool, run));
  const rarest = parts.reduce((a, b) => (b.weight < a.weight ? b : a));
  const occurrenceIn = occurrenceAt(index, text);
  const kept = (name: string, candidates: () => RankSet, keeps: (occurrence: Occurrence) => boolean) =>
    once(() => {
      const make = () => {
        const set = pool.copy(candidates());
        set.filter((place) => keeps(occurrenceIn(place)));
        return set;
      };
      // Looking at a title takes a hundred times as long as reading a posting.
      return rarest.weight > index.nodes.length / 512 ? frequentSet(index, `${name} ${text}`, make) : make();
    });
  const occurring = kept("occurring", rarest.occurring, (occurrence) => occurrence !== "nowhere");
  const beginning = kept("beginning", occurring, (occurrence) => occurrence === "beginning");
  return { weight: rarest.weight, occurrenceIn, beginning, occurring, resembling: null };
}

/** Says of a place how a word stands in the title there. */
function occurrenceAt({ titles, texts }: TitleIndex, text: string): QueryWord["occurrenceIn"] {
  const occurrenceIn = occurrenceOf(titles, text);
  return (place) => occurrenceIn(at(texts, place));
}
