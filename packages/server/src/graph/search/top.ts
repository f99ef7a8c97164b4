/** Keeps the first of any number of items: a bounded binary heap with the last of those kept at its root. */
export class Top<Item> {
  readonly #size: number;
  readonly #compare: (a: Item, b: Item) => number;
  readonly #heap: Item[] = [];

  /** Keeps up to `size` items, the first in the order of `compare`. */
  constructor(size: number, compare: (a: Item, b: Item) => number) {
    this.#size = size;
    this.#compare = compare;
  }

  offer(item: Item): void {
    const heap = this.#heap;
    if (heap.length < this.#size) {
      heap.push(item);
      this.#siftUp(heap.length - 1);
    } else if (heap[0] !== undefined && this.#compare(item, heap[0]) < 0) {
      heap[0] = item;
      this.#siftDown();
    }
  }

  /** The items kept, in order. */
  sorted(): Item[] {
    return this.#heap.toSorted(this.#compare);
  }

  #siftUp(from: number): void {
    let index = from;
    while (index > 0 && this.#swapIfLater(index, (index - 1) >> 1)) index = (index - 1) >> 1;
  }

  #siftDown(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#isLater(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfLater(child, index)) return;
      index = child;
    }
  }

  /** Lets an item rise to its parent's place where it comes later than that; whether it did. */
  #swapIfLater(child: number, parent: number): boolean {
    if (!this.#isLater(child, parent)) return false;
    const [risen, sunk] = [this.#heap[child] as Item, this.#heap[parent] as Item];
    this.#heap[parent] = risen;
    this.#heap[child] = sunk;
    return true;
  }

  #isLater(index: number, other: number): boolean {
    const [a, b] = [this.#heap[index], this.#heap[other]];
    return a !== undefined && b !== undefined && this.#compare(a, b) > 0;
  }
}
