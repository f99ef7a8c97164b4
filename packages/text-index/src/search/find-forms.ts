import { missingBlock, OpenBlock, type TermList } from "../segments/block.ts";
import type { BlockStore, FoundBlock, KeyRange, TermLookup } from "../segments/block-store.ts";
import { compareBytes } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { formsOf } from "../text/family.ts";
import type { IndexView } from "./index-view.ts";
import { type SegmentList, type Slot, slotOf } from "./term-lists.ts";

/** A form of a word that the index has. */
export interface FoundForm {
  readonly term: string;
  readonly slot: Slot;
}

/** The most keys of a segment that are read at a time. */
const keysAtATime = 200;

/**
 * Finds the forms of terms that the index has, in the order of their code points. Keys of blocks say which blocks may have
 * them, so that no others are read: fewer than there could be forms.
 */
export async function findForms(
  view: IndexView,
  store: BlockStore,
  terms: readonly string[],
): Promise<FoundForm[][]> {
  const forms = terms.map((term) => formsOf(term).map((form) => new Form(form)));
  const scans = forms.flatMap((own) =>
    view.segments.map((segment, input) => new FormScan(segment, input, own)),
  );
  for (let open = scans; ; ) {
    open = open.filter((scan) => !scan.isDone);
    if (open.length === 0) break;
    const keys = await store.keys(open.map((scan) => scan.range));
    const wanted = open.flatMap((scan, index) => scan.choose(keys[index] ?? []));
    const blocks = (await store.lookup(wanted)).values();
    for (const scan of open) scan.take(blocks);
  }
  return forms.map((own) =>
    own.flatMap(({ term, lists }) => (lists.length === 0 ? [] : [{ term, slot: slotOf(lists, false) }])),
  );
}

const utf8 = new TextEncoder();

/** A form that a word could have. */
class Form {
  readonly term: string;
  readonly key: Uint8Array;
  /** Its lists in the segments that have it. */
  readonly lists: SegmentList[] = [];

  constructor(term: string) {
    this.term = term;
    this.key = utf8.encode(term);
  }
}

/** Looks for forms in one segment, in their order. */
class FormScan {
  readonly #segment: StoredSegment;
  readonly #input: number;
  readonly #forms: readonly Form[];
  /** The first form that was not looked for. */
  #next = 0;
  /** The blocks that may have forms, each with the end of these. */
  #chosen: { readonly key: Uint8Array; readonly end: number }[] = [];

  constructor(segment: StoredSegment, input: number, forms: readonly Form[]) {
    this.#segment = segment;
    this.#input = input;
    this.#forms = forms;
  }

  get isDone(): boolean {
    return this.#next === this.#forms.length;
  }

  get range(): KeyRange {
    const from = this.#forms[this.#next]?.key as Uint8Array;
    const to = this.#forms.at(-1)?.key as Uint8Array;
    return { segment: this.#segment.id, from, to, limit: keysAtATime };
  }

  /** Chooses the blocks of `range` that may have forms. */
  choose(keys: readonly Uint8Array[]): TermLookup[] {
    const first = keys[0];
    if (first === undefined || compareBytes(first, this.range.from) > 0) throw missingBlock();
    this.#chosen = [];
    let end = this.#next;
    for (const [index, key] of keys.entries()) {
      const following = keys[index + 1];
      // The key after the last one is not known if there may be more.
      if (following === undefined && keys.length === keysAtATime) break;
      const start = end;
      while (end < this.#forms.length && (following === undefined || this.#isBelow(end, following))) end += 1;
      if (end > start) this.#chosen.push({ key, end });
    }
    return this.#chosen.map(({ key }) => ({ segment: this.#segment.id, term: key }));
  }

  #isBelow(form: number, key: Uint8Array): boolean {
    return compareBytes(this.#forms[form]?.key as Uint8Array, key) < 0;
  }

  /** Takes the chosen blocks. */
  take(blocks: Iterator<FoundBlock | null>): void {
    for (const { key, end } of this.#chosen) {
      const found = blocks.next().value;
      if (found === undefined || found === null || compareBytes(found.term, key) !== 0) throw missingBlock();
      this.#read(new OpenBlock(found), end);
    }
  }

  /** Finds the forms up to `end` in a block. Both are in order. */
  #read(block: OpenBlock, end: number): void {
    block.checkCovers(this.#forms[end - 1]?.key as Uint8Array);
    for (const list of block.lists()) {
      while (this.#next < end && this.#isBelow(this.#next, list.term)) this.#next += 1;
      if (this.#next === end) return;
      const form = this.#forms[this.#next] as Form;
      if (compareBytes(form.key, list.term) === 0) form.lists.push(this.#listOf(form, list, block));
    }
    this.#next = end;
  }

  #listOf({ key }: Form, list: TermList, block: OpenBlock): SegmentList {
    const own = { ...list, term: key };
    return { term: key, segment: this.#segment, input: this.#input, list: own, blocks: [block] };
  }
}
