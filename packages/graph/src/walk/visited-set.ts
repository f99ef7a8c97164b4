import { at } from "../column.ts";

/**
 * What a walk has reached: which nodes, in what order, and after how many steps each. Its memory serves walk after walk:
 * to begin anew costs nothing, however many nodes the graph has, because whatever an earlier walk marked lies below
 * `#base`. At `#base` itself are nodes that are closed, above it those that were reached, by their levels.
 */
export class VisitedSet {
  readonly #size: number;
  readonly #highestMark: number;
  #marks: Uint32Array = new Uint32Array(0);
  #order: Uint32Array = new Uint32Array(0);
  /** Where in the order each level begins. */
  #starts = [0];
  #count = 0;
  #base = 1;

  /** `highestMark` is what a mark can hold: when walks have come near to it, marks begin anew. */
  constructor(size: number, highestMark = 0xffff_ffff) {
    this.#size = size;
    this.#highestMark = highestMark;
  }

  /** Forgets the walk before. What is reached from now on is at level 0. */
  begin(): void {
    if (this.#marks.length < this.#size) {
      this.#marks = new Uint32Array(this.#size);
      this.#order = new Uint32Array(this.#size);
    }
    this.#base += this.#starts.length + 1;
    this.#starts = [0];
    this.#count = 0;
    // No walk has more levels than there are nodes.
    if (this.#base + this.#size + 1 > this.#highestMark) {
      this.#marks.fill(0);
      this.#base = 1;
    }
  }

  /** What is reached from now on is one step further. */
  beginLevel(): void {
    this.#starts.push(this.#count);
  }

  /** How many nodes were reached. */
  get count(): number {
    return this.#count;
  }

  /** The nodes of a level, in the order in which they were reached. */
  nodesAt(level: number): Uint32Array {
    return this.#order.subarray(this.#starts[level] ?? this.#count, this.#starts[level + 1] ?? this.#count);
  }

  /** The level of a node, negative where the walk has not come by it. */
  levelOf(node: number): number {
    return at(this.#marks, node) - this.#base - 1;
  }

  /** Whether the walk need not go to a node: it was there, or the node is closed. */
  isBehind(node: number): boolean {
    return at(this.#marks, node) >= this.#base;
  }

  /** Keeps the walk out of a node that it has not reached. */
  close(node: number): void {
    this.#marks[node] = this.#base;
  }

  /** Makes a node as if the walk had not come by it. */
  open(node: number): void {
    this.#marks[node] = 0;
  }

  add(node: number): void {
    this.#marks[node] = this.#base + this.#starts.length;
    this.#order[this.#count] = node;
    this.#count += 1;
  }

  /**
   * Adds what stands in a part of a row and is new, no more than `room` nodes. Ends before a node that `other` has
   * reached, and before one for which there is no room: answers with the position there, else with `end`. The loop in
   * which searches for paths spend their time: a hub's row has hundreds of thousands of edges.
   */
  addRow(
    row: { readonly nodes: Uint32Array; readonly first: number; readonly end: number },
    follows: ((position: number) => boolean) | null,
    other: VisitedSet,
    room: number,
  ): number {
    const [marks, order, base] = [this.#marks, this.#order, this.#base];
    const [otherMarks, otherBase] = [other.#marks, other.#base];
    const { nodes, first, end } = row;
    const mark = base + this.#starts.length;
    const full = this.#count + room;
    let count = this.#count;
    let position = first;
    for (; position < end; position += 1) {
      const node = at(nodes, position);
      if (at(marks, node) >= base || (follows !== null && !follows(position))) continue;
      if (at(otherMarks, node) > otherBase || count === full) break;
      marks[node] = mark;
      order[count] = node;
      count += 1;
    }
    this.#count = count;
    return position;
  }
}
