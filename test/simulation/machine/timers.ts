import { AsyncLocalStorage } from "node:async_hooks";
import timers from "node:timers";
import promisedTimers from "node:timers/promises";
import { Machine } from "./machine.ts";
import type { Task } from "./scheduler.ts";

type Callback = (...args: unknown[]) => void;
type Start = (callback: Callback, milliseconds?: number, ...args: unknown[]) => unknown;

/** Node's own, for code that runs outside of every machine. */
const real = { ...timers };
const realPromised = { ...promisedTimers };

/** Calls with the asynchronous context of now, as Node's timers do. */
function inContext(callback: Callback, args: readonly unknown[]): () => void {
  const restore = AsyncLocalStorage.snapshot();
  return () => restore(() => callback(...args));
}

/** A timer of a simulated machine, with the methods of Node's. Whether it keeps a process alive says nothing here. */
class Timer {
  readonly #machine: Machine;
  readonly #milliseconds: number;
  readonly #repeats: boolean;
  readonly #run: () => void;
  #task: Task | null = null;

  constructor(machine: Machine, milliseconds: number, run: () => void, repeats: boolean) {
    this.#machine = machine;
    // As Node rounds them: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
    this.#milliseconds = milliseconds >= 1 && milliseconds < 2 ** 31 ? Math.trunc(milliseconds) : 1;
    this.#run = run;
    this.#repeats = repeats;
    this.refresh();
  }

  refresh(): this {
    this.close();
    if (!this.#machine.isAlive) return this;
    this.#task = this.#machine.scheduler.schedule(this.#machine, this.#milliseconds, () => {
      if (this.#repeats) this.refresh();
      else this.#task = null;
      this.#run();
    });
    return this;
  }

  close(): void {
    if (this.#task !== null) this.#task.isCancelled = true;
    this.#task = null;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return this.#task !== null;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A call that `setImmediate` has begun. */
class Immediate {
  readonly #task: Task | null;

  constructor(machine: Machine, run: () => void) {
    this.#task = machine.isAlive ? machine.scheduler.schedule(machine, 0, run) : null;
  }

  cancel(): void {
    if (this.#task !== null) this.#task.isCancelled = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function starting(repeats: boolean, startReally: Start): Start {
  return (callback, milliseconds = 1, ...args) => {
    const machine = Machine.current;
    if (machine === null) return startReally(callback, milliseconds, ...args);
    return new Timer(machine, Number(milliseconds), inContext(callback, args), repeats);
  };
}

function clearing(clearReally: (timer: never) => void): (timer: unknown) => void {
  return (timer) => {
    if (timer instanceof Timer) timer.close();
    // Node's, or nothing that it knows.
    else clearReally(timer as never);
  };
}

const simulated = {
  setTimeout: starting(false, real.setTimeout),
  setInterval: starting(true, real.setInterval),
  clearTimeout: clearing(real.clearTimeout),
  clearInterval: clearing(real.clearInterval),
  setImmediate(callback: Callback, ...args: unknown[]): unknown {
    const machine = Machine.current;
    if (machine === null) return real.setImmediate(callback, ...args);
    return new Immediate(machine, inContext(callback, args));
  },
  clearImmediate(immediate: unknown): void {
    if (immediate instanceof Immediate) immediate.cancel();
    // Node's, or nothing that it knows.
    else real.clearImmediate(immediate as never);
  },
};

/** The timers that return promises: https://nodejs.org/api/timers.html#timers-promises-api */
const simulatedPromised = {
  setTimeout(milliseconds = 1, value?: unknown, options: { readonly signal?: AbortSignal } = {}) {
    if (Machine.current === null) return realPromised.setTimeout(milliseconds, value, options);
    const { signal } = options;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = simulated.setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, milliseconds);
    const abort = () => {
      simulated.clearTimeout(timer);
      const error = new Error("The operation was aborted", { cause: signal?.reason });
      reject(Object.assign(error, { name: "AbortError", code: "ABORT_ERR" }));
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    return promise;
  },
  setImmediate(value?: unknown) {
    if (Machine.current === null) return realPromised.setImmediate(value);
    return new Promise((resolve) => simulated.setImmediate(() => resolve(value)));
  },
};

function timeoutSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
  simulated.setTimeout(() => controller.abort(reason), milliseconds);
  return controller.signal;
}

/** Replaces the timers of this process. Those of simulated machines pass with virtual time and end with their machine. */
export function replaceTimers(): void {
  Object.assign(timers, simulated);
  Object.assign(globalThis, simulated);
  Object.assign(promisedTimers, simulatedPromised);
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) =>
    (Machine.current === null ? realTimeout : timeoutSignal)(milliseconds);
}
