import { createHash } from "node:crypto";
import { integer, type Random, seededRandom } from "@clew/stand-in/testing/random";

/** The process whose code a task runs. */
interface TaskOwner {
  readonly isAlive: boolean;
  /** Runs a call as its code. */
  enter(call: () => void): void;
}

/** A call that waits for its turn or its time. */
export interface Task {
  readonly machine: TaskOwner;
  /** Milliseconds of virtual time before which it does not run. */
  readonly at: number;
  /** Tasks of the same time run in the order in which they were made. */
  readonly number: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** The real event loop: what the simulation waits for before it runs the next task. */
interface EventLoop {
  /** Resolves after all microtasks, and all real work that a machine waits for. */
  readonly settled: () => Promise<void>;
}

/** Milliseconds since the Unix epoch at which every simulation begins. */
const beginning = Date.UTC(2026, 2, 1, 12);

/** The time that a task takes, in microseconds. It keeps a loop that only waits for a timer from lasting for ever. */
const taskMicroseconds = { least: 5, most: 60 } as const;

/** Virtual milliseconds after which a simulation has hung. */
const longestMs = 48 * 3_600_000;

const leastWaiting = 100;

/** Lines of the trace that are kept to be printed. */
const keptLines = 400;

const willRun = ({ machine, isCancelled }: Task) => machine.isAlive && !isCancelled;

/**
 * The order and the times of all that happens. One task runs at a time. Those of one machine run in the order of a real event loop, and the
 * seed draws which machine is next. Time passes only by tasks, and by waiting while no task is ready.
 */
export class Scheduler {
  readonly random: Random;
  readonly #loop: EventLoop;
  readonly #hash = createHash("sha256");
  readonly #lines: string[] = [];
  readonly #ready = new Map<TaskOwner, Task[]>();
  /** In the order of their times. */
  #waiting: Task[] = [];
  /** The number of them at which those are forgotten that will not run. */
  #mostWaiting = leastWaiting;
  #now = beginning;
  #made = 0;
  #events = 0;
  /** Receives each line of the trace. */
  onEvent: ((line: string) => void) | null = null;

  constructor(seed: number, loop: EventLoop) {
    this.random = seededRandom(seed);
    this.#loop = loop;
  }

  /** Milliseconds since the Unix epoch, with a fraction. */
  get now(): number {
    return this.#now;
  }

  /** Milliseconds since the beginning. */
  get passed(): number {
    return this.#now - beginning;
  }

  /** Events in the trace. */
  get events(): number {
    return this.#events;
  }

  /** Runs a call in a machine after some milliseconds, or as soon as it is its turn. */
  schedule(machine: TaskOwner, milliseconds: number, run: () => void): Task {
    this.#made += 1;
    const at = this.#now + Math.max(0, milliseconds);
    const task: Task = { machine, at, number: this.#made, run, isCancelled: false };
    if (milliseconds <= 0) this.#makeReady(task);
    else this.#wait(task);
    return task;
  }

  /** Draws whether something of that probability happens. */
  happens(probability: number): boolean {
    return this.random() < probability;
  }

  /** Adds an event to the trace. */
  note(event: string): void {
    this.#events += 1;
    const line = `${(this.#now - beginning).toFixed(3)} ${event}`;
    this.#hash.update(`${line}\n`);
    if (this.#lines.push(line) > keptLines) this.#lines.shift();
    this.onEvent?.(line);
  }

  /** The last events. */
  lines(): readonly string[] {
    return this.#lines;
  }

  /** Identifies all events so far, with their times. */
  digest(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }

  /** Runs tasks until the work is done. Throws what it throws, and if nothing can happen any more. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let ended: { readonly result: Promise<T> } | null = null;
    const result = work();
    const end = () => {
      ended = { result };
    };
    result.then(end, end);
    for (;;) {
      await this.#loop.settled();
      if (ended !== null) return result;
      const task = this.#next();
      if (task === null) throw new Error("Everything waits, and nothing can happen any more.");
      if (this.passed > longestMs) throw new Error("The simulation has not ended within two days.");
      this.#now += integer(this.random, taskMicroseconds.least, taskMicroseconds.most) / 1000;
      if (willRun(task)) task.machine.enter(task.run);
    }
  }

  /** The next task of a machine that has one; of those the seed draws one. Lets time pass if none has. Null if there is no task. */
  #next(): Task | null {
    this.#passTo(this.#now);
    if (this.#ready.size === 0) {
      const first = this.#waiting.find(willRun);
      if (first === undefined) return null;
      this.#now = Math.max(this.#now, first.at);
      this.#passTo(this.#now);
    }
    const machines = [...this.#ready];
    const drawn = machines[machines.length === 1 ? 0 : integer(this.random, 0, machines.length - 1)];
    if (drawn === undefined) return null;
    const [machine, tasks] = drawn;
    const task = tasks.shift() ?? null;
    if (tasks.length === 0) this.#ready.delete(machine);
    return task;
  }

  /** Makes the tasks ready whose time has come. */
  #passTo(time: number): void {
    let due = 0;
    while (due < this.#waiting.length && (this.#waiting[due]?.at ?? Number.POSITIVE_INFINITY) <= time)
      due += 1;
    for (const task of this.#waiting.splice(0, due)) if (willRun(task)) this.#makeReady(task);
  }

  #makeReady(task: Task): void {
    const tasks = this.#ready.get(task.machine);
    if (tasks === undefined) this.#ready.set(task.machine, [task]);
    else tasks.push(task);
  }

  #wait(task: Task): void {
    if (this.#waiting.length >= this.#mostWaiting) {
      this.#waiting = this.#waiting.filter(willRun);
      this.#mostWaiting = Math.max(leastWaiting, 2 * this.#waiting.length);
    }
    this.#waiting.splice(this.#placeOf(task), 0, task);
  }

  #placeOf({ at }: Task): number {
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#waiting[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
