import { firstIndex } from "@clew/text/basics";
import { missingBlock, OpenBlock, type TermList } from "../segments/block.ts";
import type { BlockStore, CoveringRange, FoundBlock } from "../segments/block-store.ts";
import { compareBytes } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { areFamily, beginningOfForms, formsOf } from "../text/family.ts";
import type { IndexView } from "./index-view.ts";
import { type SegmentList, type Slot, slotOf, type TermSlot } from "./term-lists.ts";

/** A form of a word that the index has. */
export interface FoundForm {
  readonly term: string;
  readonly slot: Slot;
}

/** Of more terms that begin alike it takes less time to list the forms than to compare each with the word. */
const fewTerms = 24;

/** The most blocks of a segment that are read at a time. */
const blocksAtATime = 4;

/**
 * Finds the forms of terms that the index has, in the order of their code points. Most are in the block that was read to find
 * the term itself. The blocks around it are read only as far as a form could be there.
 */
export async function findForms(
  view: IndexView,
  store: BlockStore,
  terms: readonly { readonly term: string; readonly slot: TermSlot }[],
): Promise<FoundForm[][]> {
  const words = terms.map(({ term }) => new Word(term));
  const scans = words.flatMap((word, index) =>
    view.segments.flatMap((segment, input) =>
      scansAround(word, segment, input, terms[index]?.slot.blocks[input] as OpenBlock),
    ),
  );
  for (let open = scans; open.length > 0; open = open.filter((scan) => !scan.isDone)) {
    const found = await store.covering(open.map((scan) => scan.range));
    open.forEach((scan, index) => {
      scan.take(found[index] ?? []);
    });
  }
  return words.map((word) => word.found());
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** A word whose forms are looked for. */
class Word {
  readonly #term: string;
  /** All its forms begin with it; null if it has none. */
  readonly beginning: Uint8Array | null;
  readonly #lists = new Map<string, SegmentList[]>();
  #forms: readonly string[] | null = null;
  readonly #keys: Uint8Array[] = [];
  /** The number of terms that were compared with the word. */
  #compared = 0;
  #known: ReadonlySet<string> | null = null;

  constructor(term: string) {
    this.#term = term;
    const beginning = beginningOfForms(term);
    this.beginning = beginning === null ? null : utf8.encode(beginning);
  }

  /** The forms that it could have, in order. To list them takes longer than to look at the terms of a block. */
  get forms(): readonly string[] {
    this.#forms ??= formsOf(this.#term);
    return this.#forms;
  }

  keyOf(form: number): Uint8Array {
    this.#keys[form] ??= utf8.encode(this.forms[form]);
    return this.#keys[form];
  }

  /** The first form that is not below a key. */
  firstFrom(key: Uint8Array): number {
    return firstIndex(0, this.forms.length, (form) => compareBytes(this.keyOf(form), key) >= 0);
  }

  /** Takes the forms that are in a block of a segment. */
  take(block: OpenBlock, segment: StoredSegment, input: number): void {
    if (this.beginning === null) return;
    for (const list of block.lists(this.beginning)) {
      const form = fromUtf8.decode(list.term);
      if (this.#isForm(form)) this.#add(form, list, block, segment, input);
    }
  }

  #isForm(term: string): boolean {
    this.#compared += 1;
    if (this.#compared <= fewTerms) return areFamily(this.#term, term);
    this.#known ??= new Set(this.forms);
    return this.#known.has(term);
  }

  #add(form: string, list: TermList, block: OpenBlock, segment: StoredSegment, input: number): void {
    const term = list.term.slice();
    const lists = this.#lists.get(form) ?? [];
    lists.push({ term, segment, input, list: { ...list, term }, blocks: [block] });
    this.#lists.set(form, lists);
  }

  found(): FoundForm[] {
    return [...this.#lists.keys()]
      .sort()
      .map((term) => ({ term, slot: slotOf(this.#lists.get(term) ?? [], false) }));
  }
}

/** Takes the forms in the block of the word, and returns scans for those that could be before and after it. */
function scansAround(word: Word, segment: StoredSegment, input: number, block: OpenBlock): FormScan[] {
  if (word.beginning === null) return [];
  word.take(block, segment, input);
  if (block.coversPrefix(word.beginning)) return [];
  const first = word.firstFrom(block.key.term);
  const end = block.next === null ? word.forms.length : word.firstFrom(block.next);
  const scans = [
    new FormScan(word, segment, input, 0, first),
    new FormScan(word, segment, input, end, word.forms.length),
  ];
  return scans.filter((scan) => !scan.isDone);
}

/** Looks for some forms of a word in one segment, in their order. */
class FormScan {
  readonly #word: Word;
  readonly #segment: StoredSegment;
  readonly #input: number;
  /** The first form that was not looked for. */
  #next: number;
  readonly #end: number;

  constructor(word: Word, segment: StoredSegment, input: number, next: number, end: number) {
    this.#word = word;
    this.#segment = segment;
    this.#input = input;
    this.#next = next;
    this.#end = end;
  }

  get isDone(): boolean {
    return this.#next >= this.#end;
  }

  get range(): CoveringRange {
    const [from, to] = [this.#word.keyOf(this.#next), this.#word.keyOf(this.#end - 1)];
    return { segment: this.#segment.id, from, to, limit: blocksAtATime };
  }

  /** Takes the blocks of `range`. The next one is then of the first form behind them, however far it is. */
  take(blocks: readonly FoundBlock[]): void {
    const { from, to } = this.range;
    let last: OpenBlock | null = null;
    for (const found of blocks) {
      const block = new OpenBlock(found);
      if (last === null ? compareBytes(found.term, from) > 0 : !last.precedes(found)) throw missingBlock();
      this.#word.take(block, this.#segment, this.#input);
      last = block;
    }
    if (last === null) throw missingBlock();
    if (blocks.length < blocksAtATime) last.checkCovers(to);
    this.#next = last.next === null ? this.#end : this.#word.firstFrom(last.next);
  }
}
