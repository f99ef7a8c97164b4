import crypto from "node:crypto";
import { EventEmitter } from "node:events";
import files from "node:fs/promises";
import { createRequire, syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
import type { Database } from "better-sqlite3";
import { Machine } from "./machine.ts";
import { doReally } from "./real-work.ts";
import { replaceTimers } from "./timers.ts";

/*
 * Replaces what Node offers by what a simulated machine offers, for the rest of this process: the timers, the clocks, random numbers, threads, and
 * the order in which real work ends. Code that runs outside of every machine gets the real parts. Nothing of Clew is replaced.
 */

function replaceClocks(): void {
  const RealDate = Date;
  const now = () => Machine.current?.clock() ?? RealDate.now();
  class SimulatedDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(now());
      // Any of the other signatures: the real constructor tells them apart.
      else super(...(args as [number]));
    }

    static override now = now;
  }
  Object.assign(globalThis, { Date: SimulatedDate });
  const realNow = performance.now.bind(performance);
  performance.now = () => Machine.current?.monotonic() ?? realNow();
}

/** Random bytes of the seed. Large blocks only fill space, and repeat themselves. */
export function randomBytes(size: number): Buffer<ArrayBuffer> {
  const random = Machine.current?.scheduler.random ?? Math.random;
  const bytes = Buffer.alloc(size);
  const drawn = Math.min(size, 256);
  for (let index = 0; index < drawn; index += 1) bytes[index] = Math.floor(random() * 256);
  return drawn === size ? bytes : bytes.fill(bytes.subarray(0, drawn));
}

function randomUUID(): string {
  const hex = randomBytes(16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function replaceRandomness(): void {
  Object.assign(crypto, { randomBytes, randomUUID });
  Object.assign(globalThis.crypto, { randomUUID });
  const realRandom = Math.random;
  Math.random = () => (Machine.current?.scheduler.random ?? realRandom)();
}

/** Serializes what ends on other threads of this process, in whatever order. */
function replaceRealWork(): void {
  const { open } = files;
  serialize(files, new Set(["constants", "watch", "open"]));
  let isKnown = false;
  const openSerialized: typeof open = async (...args) => {
    const handle = await doReally(() => open(...args));
    if (!isKnown) serialize(Object.getPrototypeOf(handle), new Set(["constructor"]));
    isKnown = true;
    // Each handle has a method of its own.
    const { close } = handle;
    handle.close = () => doReally(close);
    return handle;
  };
  Object.assign(files, { open: openSerialized });
  serialize(SubtleCrypto.prototype, new Set(["constructor"]));
}

/** Serializes the methods of an object, which return promises. */
function serialize(object: object, without: ReadonlySet<string>): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (typeof value !== "function" || without.has(name)) continue;
    Object.defineProperty(object, name, {
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
  const requireAsServer = createRequire(new URL("../../../packages/server/package.json", import.meta.url));
  const { prototype }: { readonly prototype: Database } = requireAsServer("better-sqlite3");
  const { pragma } = prototype;
  // The server sets pragmas on each handle that it opens.
  prototype.pragma = function owned(...args) {
    Machine.current?.own(this);
    return pragma.apply(this, args);
  };
}

replaceTimers();
replaceClocks();
replaceRandomness();
replaceRealWork();
Object.assign(threads, { Worker: IdleThread });
ownDatabases();
// Also for modules that import parts by name.
syncBuiltinESMExports();
