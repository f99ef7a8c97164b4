import type { BlockStore } from "../segments/block-store.ts";
import { inflectedTerm, writtenTerms } from "../text/query.ts";
import type { QueryWord } from "../text/types.ts";
import { findForms } from "./find-forms.ts";
import type { IndexView } from "./index-view.ts";
import { planForm, type ReadLimits, type ReadWord, rarestWithin, readRarest } from "./read-words.ts";
import { joinInputs, type TermSlot } from "./term-lists.ts";

/** The most forms of a word that count. */
const maxForms = 8;

/** The share of the entries of a query that forms may take. They count little, so that more is hardly worth its time. */
const entriesShare = 1 / 8;

/**
 * Reads the postings of other forms of words, the rarest first, until the next would exceed their share of the entries or what
 * words left. Of those of a word the most frequent count. The selection depends on the live pages alone, as that of words.
 *
 * @param read The words that were read; each may have forms.
 * @param slots The terms of words that were looked up.
 * @param left The entries that words left.
 * @returns The words that have forms, with the postings of these.
 */
export async function readForms(
  view: IndexView,
  store: BlockStore,
  words: readonly QueryWord[],
  read: readonly ReadWord[],
  slots: ReadonlyMap<string, TermSlot>,
  left: number,
  { entries, isOver }: ReadLimits,
): Promise<ReadWord[]> {
  const limits = { entries: Math.min(left, entries * entriesShare), isOver };
  const inflected = read.flatMap(({ word }) => {
    const term = inflectedTerm(words[word] as QueryWord);
    const slot = term === null ? undefined : slots.get(term);
    return term === null || slot === undefined ? [] : [{ word, term, slot }];
  });
  if (inflected.length === 0 || limits.entries <= 0) return [];
  const found = await findForms(view, store, inflected);
  const written = writtenTerms(words);
  const planned = inflected.flatMap(({ word }, index) =>
    (found[index] ?? []).filter(({ term }) => !written.has(term)).map(({ slot }) => planForm(word, slot)),
  );
  await readRarest(view, store, planned, limits);
  const byWord = Map.groupBy(rarestWithin(planned, limits.entries), ({ word }) => word);
  return [...byWord].map(([word, forms]) => {
    // The order is from the rarest to the most frequent.
    const inputs = forms.slice(-maxForms).map((form) => form.inputs);
    return { word, inputs: joinInputs(view, inputs) };
  });
}
