import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fitLine, studentT } from "../support/fit-line.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The memory and handles of a process after its garbage was collected. */
interface Held {
  /** The inputs before. */
  readonly inputs: number;
  /** Bytes of the heap, and of buffers outside it. */
  readonly bytes: number;
  /** Sockets, timers, open requests. */
  readonly handles: number;
}

/** A rise for each input, with the ends of its 95 % interval. */
export interface Slope {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** The bytes for each input that need no explanation: caches that fill and code that is compiled. */
export const maxBytes = 1_024;
/** The handles for each input, likewise. */
export const maxHandles = 0.01;

/** Looks at what this process holds, again and again while inputs are tried. */
export class Growth {
  readonly #held: Held[] = [];
  readonly #work: number;

  /** `work` is that of an input, a request being 1: whole syncs compile more code and fill more caches. */
  constructor(work = 1) {
    this.#work = work;
  }

  async look(inputs: number): Promise<void> {
    // The memory of buffers is given back after the collection that finds them.
    for (const _ of ["find", "give back"]) {
      collectGarbage();
      await setImmediate();
    }
    const { heapUsed, external } = process.memoryUsage();
    this.#held.push({ inputs, bytes: heapUsed + external, handles: process.getActiveResourcesInfo().length });
  }

  /** The slopes since the first third, in which caches fill. */
  slopes(): { readonly bytes: Slope; readonly handles: Slope } {
    const later = this.#held.slice(Math.floor(this.#held.length / 3));
    const of = (value: (held: Held) => number) => slopeOf(later.map((held) => [held.inputs, value(held)]));
    return { bytes: of(({ bytes }) => bytes), handles: of(({ handles }) => handles) };
  }

  /** Names what grew; null if the slopes may as well be within the limits. */
  fault(): string | null {
    const { bytes, handles } = this.slopes();
    if (bytes.low > maxBytes * this.#work) return `the heap grew by ${describe(bytes)} bytes for each input`;
    if (handles.low > maxHandles * this.#work)
      return `open handles grew by ${describe(handles)} for each input`;
    return null;
  }
}

/** A slope in words. */
export const describe = ({ low, middle, high }: Slope): string =>
  `${rounded(middle)} (${rounded(low)} to ${rounded(high)})`;

const rounded = (value: number) => Number(value.toPrecision(3));

/** The slope of the line through points, with its interval. Throws `RangeError` for fewer than four points. */
export function slopeOf(points: readonly (readonly [at: number, value: number])[]): Slope {
  const { slope: middle, error } = fitLine(points);
  const half = studentT(points.length - 2) * error;
  return { low: middle - half, middle, high: middle + half };
}
