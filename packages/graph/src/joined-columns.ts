type Column = Uint8Array | Uint32Array | Float64Array;

/** One column of parts that follow one another. Takes the parts away, so that each memory can go as soon as it may. */
export function joinColumns<C extends Column>(parts: C[], make: (length: number) => C): C {
  const whole = make(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts.splice(0)) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

export const words = (length: number): Uint32Array => new Uint32Array(length);
export const bytes = (length: number): Uint8Array => new Uint8Array(length);
export const times = (length: number): Float64Array => new Float64Array(length);
