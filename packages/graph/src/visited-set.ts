import { at } from "./columns.ts";

/**
 * The nodes that a walk has reached, in order, each with its level: the number of steps to it. One set serves walk after
 * walk. A new walk costs nothing, however large the graph is: each node has a mark, and the marks of earlier walks are
 * below `#base`. A mark equal to `#base` is a closed node, greater marks are levels.
 */
export class VisitedSet {
  readonly #nodeCount: number;
  readonly #maxMark: number;
  #marks: Uint32Array = new Uint32Array(0);
  #order: Uint32Array = new Uint32Array(0);
  /** The position in the order at which each level starts. */
  #levelStarts = [0];
  #count = 0;
  #base = 1;

  /** Memory is allocated by the first walk. Marks start over when they come near `maxMark`. */
  constructor(nodeCount: number, maxMark = 0xffff_ffff) {
    this.#nodeCount = nodeCount;
    this.#maxMark = maxMark;
  }

  /** The memory of a set in use. */
  static byteLength(nodeCount: number): number {
    return 2 * Uint32Array.BYTES_PER_ELEMENT * nodeCount;
  }

  /** Starts a walk at level 0. */
  begin(): void {
    if (this.#marks.length < this.#nodeCount) {
      this.#marks = new Uint32Array(this.#nodeCount);
      this.#order = new Uint32Array(this.#nodeCount);
    }
    this.#base += this.#levelStarts.length + 1;
    this.#levelStarts = [0];
    this.#count = 0;
    // A walk has at most as many levels as there are nodes.
    if (this.#base + this.#nodeCount + 1 > this.#maxMark) {
      this.#marks.fill(0);
      this.#base = 1;
    }
  }

  /** Nodes added from now on are one step further. */
  beginLevel(): void {
    this.#levelStarts.push(this.#count);
  }

  get count(): number {
    return this.#count;
  }

  /** The nodes of a level, in the order in which they were reached. */
  nodesAt(level: number): Uint32Array {
    const starts = this.#levelStarts;
    return this.#order.subarray(starts[level] ?? this.#count, starts[level + 1] ?? this.#count);
  }

  /** The level of a node, negative if the walk has not reached it. */
  levelOf(node: number): number {
    return at(this.#marks, node) - this.#base - 1;
  }

  /** Whether a node was reached or is closed. */
  isReachedOrClosed(node: number): boolean {
    return at(this.#marks, node) >= this.#base;
  }

  /** Keeps the walk out of a node that it has not reached. */
  close(node: number): void {
    this.#marks[node] = this.#base;
  }

  /** Resets a node to not reached and not closed. */
  open(node: number): void {
    this.#marks[node] = 0;
  }

  add(node: number): void {
    this.#marks[node] = this.#base + this.#levelStarts.length;
    this.#order[this.#count] = node;
    this.#count += 1;
  }

  /**
   * Adds the new nodes in part of a row, at most `room`. Stops before a node that `other` has reached, or for which there
   * is no room, and returns its position; otherwise returns `end`. Path searches spend their time in this loop: a hub's
   * row has hundreds of thousands of edges.
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
    const mark = base + this.#levelStarts.length;
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
