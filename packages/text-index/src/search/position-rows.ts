import type { BlockStore } from "../segments/block-store.ts";
import { openRow, PositionReader } from "../segments/positions.ts";
import type { SegmentList } from "./term-lists.ts";

/** The row that holds positions. */
interface Place {
  readonly of: SegmentList;
  /** Without positions, there may be no row. */
  readonly hasPositions: boolean;
  readonly row: number;
  readonly rowStart: number;
}

/** Rows of positions that were read with one call to the store. */
export class PositionRows {
  /** For each segment of the view, by number. */
  readonly #rows = new Map<number, Map<number, Uint8Array>>();

  /** Reads the rows of all places. Throws `IndexDamagedError` if one of them is damaged or missing. */
  static async read(store: BlockStore, places: readonly Place[]): Promise<PositionRows> {
    const read = new PositionRows();
    const keys: { segment: number; row: number; into: Map<number, Uint8Array> }[] = [];
    for (const { of, hasPositions, row } of places) {
      if (!hasPositions) continue;
      const into = read.#rows.get(of.input) ?? new Map<number, Uint8Array>();
      read.#rows.set(of.input, into);
      if (into.has(row)) continue;
      into.set(row, new Uint8Array());
      keys.push({ segment: of.segment.id, row, into });
    }
    if (keys.length === 0) return read;
    const found = await store.rows(keys);
    for (const [index, { row, into }] of keys.entries()) into.set(row, openRow(found[index], row));
    return read;
  }

  /** Reads from a place whose row was read. */
  reader({ of, row, rowStart }: Place): PositionReader {
    return new PositionReader(this.#rows.get(of.input)?.get(row) ?? new Uint8Array(), rowStart);
  }
}
