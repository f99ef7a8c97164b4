import { EventEmitter } from "node:events";
import { createRequire, syncBuiltinESMExports } from "node:module";
import type { Database } from "better-sqlite3";
import { Machine } from "./machine.ts";
import { doReally } from "./real-work.ts";
import type { Task } from "./scheduler.ts";

/*
 * Replaces what Node offers by what a simulated machine offers, for the rest of this process: the timers, the clocks, random numbers, threads, and
 * the order in which real work ends. Code that runs outside of every machine gets the real parts. Nothing of Clew is replaced.
 */

const require = createRequire(import.meta.url);

/** The module as CommonJS has it, whose properties can be replaced. */
const builtin = (name: string): Record<string, unknown> => require(name);

type Callback = (...args: unknown[]) => void;

/** A timer of a simulated machine, with the methods of Node's. */
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

/** Keeps the asynchronous context of the caller, as Node's timers do. */
const inContext = (callback: Callback, args: unknown[]): (() => void) => {
  const restore = contextNow();
  return () => restore(() => callback(...args));
};

const { AsyncLocalStorage } = builtin("node:async_hooks") as typeof import("node:async_hooks");
const contextNow = () => AsyncLocalStorage.snapshot();

function replaceTimers(): void {
  const timers = builtin("node:timers");
  const real = { ...timers } as unknown as typeof import("node:timers");
  const starting = (repeats: boolean, realStart: Callback) =>
    function start(callback: Callback, milliseconds = 1, ...args: unknown[]) {
      const machine = Machine.current;
      if (machine === null) return realStart(callback, milliseconds, ...args);
      return new Timer(machine, Number(milliseconds), inContext(callback, args), repeats);
    };
  const clearing = (realClear: (timer: never) => void) => (timer: unknown) => {
    if (timer instanceof Timer) timer.close();
    else realClear(timer as never);
  };
  const immediately = (callback: Callback, ...args: unknown[]) => {
    const machine = Machine.current;
    if (machine === null) return real.setImmediate(callback, ...args);
    return new Immediate(machine, inContext(callback, args));
  };
  const replaced = {
    setTimeout: starting(false, real.setTimeout as unknown as Callback),
    setInterval: starting(true, real.setInterval as unknown as Callback),
    setImmediate: immediately,
    clearTimeout: clearing(real.clearTimeout),
    clearInterval: clearing(real.clearInterval),
    clearImmediate: (immediate: unknown) => {
      if (immediate instanceof Immediate) immediate.cancel();
      else real.clearImmediate(immediate as never);
    },
  };
  Object.assign(timers, replaced);
  Object.assign(globalThis, replaced);
  replacePromisedTimers(replaced);
}

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

/** The timers that return promises: https://nodejs.org/api/timers.html#timers-promises-api */
function replacePromisedTimers(timers: {
  readonly setTimeout: (callback: Callback, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  readonly setImmediate: (callback: Callback) => unknown;
}): void {
  const promised = builtin("node:timers/promises");
  const real = { ...promised } as unknown as typeof import("node:timers/promises");
  promised.setTimeout = (
    milliseconds?: number,
    value?: unknown,
    options?: { readonly signal?: AbortSignal },
  ) => {
    if (Machine.current === null) return real.setTimeout(milliseconds, value, options);
    const signal = options?.signal;
    return new Promise((resolve, reject) => {
      const aborted = () => {
        timers.clearTimeout(timer);
        const cause = { cause: signal?.reason };
        reject(
          Object.assign(new Error("The operation was aborted", cause), {
            name: "AbortError",
            code: "ABORT_ERR",
          }),
        );
      };
      const timer = timers.setTimeout(() => {
        signal?.removeEventListener("abort", aborted);
        resolve(value);
      }, milliseconds ?? 1);
      if (signal?.aborted) aborted();
      else signal?.addEventListener("abort", aborted, { once: true });
    });
  };
  promised.setImmediate = (value?: unknown) =>
    Machine.current === null
      ? real.setImmediate(value)
      : new Promise((resolve) => timers.setImmediate(() => resolve(value)));
}

function replaceClocks(): void {
  const RealDate = Date;
  const now = () => Machine.current?.clock() ?? RealDate.now();
  class SimulatedDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(now());
      // Every signature of the real constructor.
      else super(...(args as [number]));
    }

    static override now = now;
  }
  globalThis.Date = SimulatedDate as DateConstructor;
  const realNow = performance.now.bind(performance);
  performance.now = () => Machine.current?.monotonic() ?? realNow();
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => {
    if (Machine.current === null) return realTimeout(milliseconds);
    const controller = new AbortController();
    const reason = "The operation was aborted due to timeout";
    setTimeout(() => controller.abort(new DOMException(reason, "TimeoutError")), milliseconds);
    return controller.signal;
  };
}

/** Random bytes of the seed. Large blocks only fill space, and repeat themselves. */
export function randomBytes(size: number): Buffer<ArrayBuffer> {
  const random = Machine.current?.scheduler.random ?? Math.random;
  const bytes = Buffer.alloc(size);
  const drawn = Math.min(size, 256);
  for (let index = 0; index < drawn; index += 1) bytes[index] = Math.floor(random() * 256);
  return drawn === size ? bytes : bytes.fill(bytes.subarray(0, drawn));
}

function randomUuid(): `${string}-${string}-${string}-${string}-${string}` {
  const hex = randomBytes(16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function replaceRandomness(): void {
  const crypto = builtin("node:crypto");
  crypto.randomBytes = (size: number) => randomBytes(size);
  crypto.randomUUID = randomUuid;
  globalThis.crypto.randomUUID = randomUuid;
  const real = Math.random;
  Math.random = () => (Machine.current?.scheduler.random ?? real)();
}

/** Real work that ends on other threads of this process, in whatever order. */
function replaceRealWork(): void {
  serialize(builtin("node:fs/promises"), new Set(["constants", "watch", "open"]));
  const files = builtin("node:fs/promises") as unknown as typeof import("node:fs/promises");
  const open = files.open;
  let isKnown = false;
  files.open = async (...args) => {
    const handle = await doReally(() => open(...args));
    if (!isKnown) serialize(Object.getPrototypeOf(handle), new Set(["constructor"]));
    isKnown = true;
    // A method of each handle of its own.
    const { close } = handle;
    handle.close = () => doReally(close);
    return handle;
  };
  serialize(SubtleCrypto.prototype as unknown as Record<string, unknown>, new Set(["constructor"]));
}

function serialize(parts: Record<string, unknown>, without: ReadonlySet<string>): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(parts))) {
    if (typeof value !== "function" || without.has(name)) continue;
    Object.defineProperty(parts, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        return doReally(async () => value.apply(this, args));
      },
    });
  }
}

/** A thread that never starts: what Clew does in threads is not simulated. */
class IdleThread extends EventEmitter {
  postMessage(): void {}
  ref(): void {}
  unref(): void {}
  async terminate(): Promise<number> {
    return 0;
  }
}

/** Has each database handle closed with its machine. */
function ownDatabases(): void {
  // The one that the server has.
  const server = createRequire(new URL("../../../packages/server/package.json", import.meta.url));
  const { prototype }: { readonly prototype: Database } = server("better-sqlite3");
  const { pragma } = prototype;
  prototype.pragma = function owned(...args) {
    Machine.current?.own(this);
    return pragma.apply(this, args);
  };
}

replaceTimers();
replaceClocks();
replaceRandomness();
replaceRealWork();
builtin("node:worker_threads").Worker = IdleThread;
ownDatabases();
syncBuiltinESMExports();
