import { type Model, type Operation, smallestContradiction } from "./linearizability.ts";

/** The history of one key: a token, a session, a connection, a page. */
export class KeyHistory<State, Call, Outcome> {
  readonly name: string;
  readonly #model: Model<State, Call, Outcome>;
  readonly #operations: Operation<Call, Outcome>[] = [];

  constructor(name: string, model: Model<State, Call, Outcome>) {
    this.name = name;
    this.#model = model;
  }

  get size(): number {
    return this.#operations.length;
  }

  add(operation: Operation<Call, Outcome>): void {
    this.#operations.push(operation);
  }

  /** Null if the history is linearizable; otherwise the timeline of its smallest contradiction. Throws `Undecided`. */
  contradiction(): string | null {
    const part = smallestContradiction(this.#operations, this.#model);
    return part === null ? null : timeline(this.name, part);
  }
}

/** The histories of all keys, and the one clock of their times. */
export class History {
  readonly #keys: Pick<KeyHistory<unknown, unknown, unknown>, "name" | "size" | "contradiction">[] = [];
  readonly #monotonic: () => number;
  #time = 0;

  /** `monotonic` gives milliseconds; those of this process by default. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** The time in milliseconds. Each one is later than the one before. */
  now(): number {
    this.#time = Math.max(this.#monotonic(), this.#time + 1e-4);
    return this.#time;
  }

  /** A new key with an empty history. */
  open<State, Call, Outcome>(
    name: string,
    model: Model<State, Call, Outcome>,
  ): KeyHistory<State, Call, Outcome> {
    const key = new KeyHistory(name, model);
    this.#keys.push(key);
    return key;
  }

  /** The number of keys, and of operations on all of them. */
  size(): { readonly keys: number; readonly operations: number } {
    const operations = this.#keys.reduce((sum, { size }) => sum + size, 0);
    return { keys: this.#keys.length, operations };
  }

  /** The timelines of the keys whose histories contradict themselves. Throws `Undecided`. */
  contradictions(): string[] {
    return this.#keys.map((key) => key.contradiction()).filter((each) => each !== null);
  }
}

/** A line for each operation in the order of calls; times are milliseconds from the first one. */
function timeline<Call, Outcome>(name: string, operations: readonly Operation<Call, Outcome>[]): string {
  const ordered = operations.toSorted((one, other) => one.called - other.called);
  const start = ordered[0]?.called ?? 0;
  const at = (time: number) => (time === Number.POSITIVE_INFINITY ? "…" : (time - start).toFixed(1));
  const lines = ordered.map(({ client, instance, call, outcome, called, answered }) => {
    const times = `${at(called)} – ${at(answered)}`.padEnd(24);
    return `  ${times} ${client}, ${instance}: ${JSON.stringify(call)} → ${outcome ?? "no answer yet"}`;
  });
  return [`${name} contradicts itself:`, ...lines].join("\n");
}
