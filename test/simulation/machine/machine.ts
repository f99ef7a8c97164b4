import { AsyncLocalStorage } from "node:async_hooks";
import type { Scheduler } from "./scheduler.ts";

/** A handle that the operating system closes when a process ends. */
interface Handle {
  readonly open: boolean;
  close(): unknown;
}

const running = new AsyncLocalStorage<Machine>();

/**
 * A simulated process. Whatever is begun in it, however late, belongs to it: its timers, its requests and its files. Once it is killed, none of
 * them continues.
 */
export class Machine {
  readonly name: string;
  readonly scheduler: Scheduler;
  /** Milliseconds by which its clock is off. */
  clockOffset: number;
  #isAlive = true;
  readonly #handles = new Set<Handle>();
  readonly #deaths = new Set<() => void>();

  constructor(name: string, scheduler: Scheduler, clockOffset = 0) {
    this.name = name;
    this.scheduler = scheduler;
    this.clockOffset = clockOffset;
  }

  /** The machine whose code is running; null outside of every simulation. */
  static get current(): Machine | null {
    return running.getStore() ?? null;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Milliseconds since the Unix epoch, by its own clock. */
  readonly clock = (): number => Math.floor(this.scheduler.now + this.clockOffset);

  /** Milliseconds on a clock that is never set. */
  readonly monotonic = (): number => this.scheduler.passed;

  /** Runs a call as its code. */
  enter<T>(call: () => T): T {
    return running.run(this, call);
  }

  /** Has a handle closed when it is killed. */
  own(handle: Handle): void {
    this.#handles.add(handle);
  }

  /** Calls back when it is killed, until the returned function is called. */
  onDeath(listener: () => void): () => void {
    this.#deaths.add(listener);
    return () => void this.#deaths.delete(listener);
  }

  /** Ends it as `kill -9` does: nothing of it runs any more, and SQLite rolls back what was not committed. */
  kill(): void {
    this.#isAlive = false;
    for (const handle of this.#handles) if (handle.open) handle.close();
    this.#handles.clear();
    for (const listener of this.#deaths) listener();
    this.#deaths.clear();
  }
}
