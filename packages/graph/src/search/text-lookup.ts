import { at } from "../column.ts";

/** Units in a block. */
const blockShift = 4;

/**
 * Says which text a position lies in, of texts that follow one another: the one that its block of 16 units begins in,
 * or one of the next few.
 */
export function textLookup(offsets: Uint32Array): (position: number) => number {
  const end = at(offsets, offsets.length - 1);
  const firsts = new Uint32Array((end >>> blockShift) + 1);
  let text = 0;
  for (let block = 0; block << blockShift < end; block += 1) {
    while (at(offsets, text + 1) <= block << blockShift) text += 1;
    firsts[block] = text;
  }
  return (position) => {
    let found = at(firsts, position >>> blockShift);
    while (at(offsets, found + 1) <= position) found += 1;
    return found;
  };
}
