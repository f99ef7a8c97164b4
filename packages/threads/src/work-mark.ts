/*
 * A thread that never comes back from one piece of work answers nothing. So it marks in shared memory what it is at, which its
 * owner can read nonetheless.
 */

/** Bytes of a name. */
const maxName = 4_096;
const headBytes = 8;

/** The work that a thread is at. */
export interface Work {
  /** Differs for each piece of work. */
  readonly turn: number;
  readonly name: string;
}

/** The place in shared memory where a thread marks its work. */
export class WorkMark {
  readonly shared: SharedArrayBuffer;
  /** The turn, and the length of the name; 0 if there is no work. */
  readonly #head: Int32Array;
  readonly #name: Uint8Array;

  constructor(shared = new SharedArrayBuffer(headBytes + maxName)) {
    this.shared = shared;
    this.#head = new Int32Array(shared, 0, 2);
    this.#name = new Uint8Array(shared, headBytes);
  }

  /** For the thread: begins a piece of work, or ends the last one (null). */
  set(name: string | null): void {
    Atomics.store(this.#head, 1, 0);
    Atomics.add(this.#head, 0, 1);
    if (name === null) return;
    // Shared memory takes no text by itself.
    const bytes = new TextEncoder().encode(name).subarray(0, maxName);
    this.#name.set(bytes);
    Atomics.store(this.#head, 1, bytes.length);
  }

  /** For the owner: what the thread is at; null between pieces of work. */
  current(): Work | null {
    const turn = Atomics.load(this.#head, 0);
    const length = Atomics.load(this.#head, 1);
    if (length === 0) return null;
    return { turn, name: new TextDecoder().decode(this.#name.slice(0, length)) };
  }
}

/** In a thread: where it marks its work, and what it is at, the innermost last. */
let mark: WorkMark | null = null;
const names: string[] = [];

/** In a thread: marks its work from now on. */
export function markWorkIn(shared: SharedArrayBuffer): void {
  mark = new WorkMark(shared);
}

/** Does a piece of work that the owner of the thread can see. Elsewhere it only does the work. */
export function atWork<T>(name: string, work: () => T): T {
  if (mark === null) return work();
  names.push(name);
  mark.set(name);
  try {
    return work();
  } finally {
    names.pop();
    mark.set(names.at(-1) ?? null);
  }
}
