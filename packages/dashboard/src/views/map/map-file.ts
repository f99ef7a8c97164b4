import type { MapColour } from "@clew/contract";

/** The map of a workspace, as the server sends it. Places and radii are fractions of the map's width. */
export interface MapFile {
  readonly graphVersion: number;
  readonly isByLinks: boolean;
  readonly count: number;
  readonly xs: Float32Array;
  readonly ys: Float32Array;
  readonly radii: Float32Array;
  /** The meaning of each page's colour: the number of a region of the first level, or a value of the legend. */
  readonly colours: Uint8Array;
  readonly regions: readonly Region[];
  readonly bundles: readonly Bundle[];
  readonly legend: readonly LegendEntry[];
}

/** A circle of pages that belong together. Those of the first level come first. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly name: string;
  readonly pages: number;
  /** The region that it is in; null on the first level. */
  readonly parent: number | null;
  /** The position of the page that it is called by; null for none. */
  readonly page: number | null;
}

/** Links between two regions of the first level. */
interface Bundle {
  readonly from: number;
  readonly to: number;
  readonly links: number;
}

/** The meaning of a value of one of the colours. */
export interface LegendEntry {
  readonly colour: MapColour;
  readonly value: number;
  readonly name: string;
  readonly pages: number;
}

// As in the contract, whose vocabulary would weigh too much here; a test reads what the server makes.
export const mapColours = ["region", "folder", "database", "edited"] as const satisfies readonly MapColour[];
const sizes = { header: 40, region: 24, bundle: 8, legend: 12, node: 6 };
const version = 2;
const none = 0xffff;
const width = 0xffff;

/** An element of a column. Positions are always in it; the type does not know that. */
export const at = (column: ArrayLike<number>, index: number): number => column[index] ?? 0;

/** The same map with x and y exchanged: maps are wide, and so fill a window that is high. */
export function transposed(map: MapFile): MapFile {
  return {
    ...map,
    xs: map.ys,
    ys: map.xs,
    regions: map.regions.map((region) => ({ ...region, x: region.y, y: region.x })),
  };
}

/** Reads a map. Throws a TypeError for bytes that are none. */
export function readMapFile(buffer: ArrayBuffer): MapFile {
  const view = new DataView(buffer);
  const magic = buffer.byteLength < sizes.header ? "" : String.fromCharCode(...new Uint8Array(buffer, 0, 4));
  if (magic !== "CMAP" || view.getUint16(4, true) !== version) throw new TypeError("the bytes are no map");
  const u16 = (offset: number) => view.getUint16(offset, true);
  const u32 = (offset: number) => view.getUint32(offset, true);
  const [regionsAt, count, textsAt, pagesAt] = [u16(6), u32(8), u32(28), u32(32)];
  const [regions, bundles, legend] = [u16(20), u16(22), u16(24)];
  const bundlesAt = regionsAt + regions * sizes.region;
  const legendAt = bundlesAt + bundles * sizes.bundle;
  if (pagesAt + count * sizes.node !== buffer.byteLength) throw new TypeError("the map is not whole");
  const decoder = new TextDecoder();
  const text = (start: number, length: number) =>
    decoder.decode(new Uint8Array(buffer, textsAt + start, length));
  return {
    graphVersion: view.getFloat64(12, true),
    isByLinks: view.getUint8(27) === 1,
    count,
    ...readPages(view, pagesAt, count),
    regions: Array.from({ length: regions }, (_, region): Region => {
      const offset = regionsAt + region * sizes.region;
      const [parent, page] = [u16(offset + 8), u32(offset + 20)];
      return {
        x: u16(offset) / width,
        y: u16(offset + 2) / width,
        radius: u16(offset + 4) / width,
        name: text(u32(offset + 16), u16(offset + 10)),
        pages: u32(offset + 12),
        parent: parent === none ? null : parent,
        page: page < count ? page : null,
      };
    }),
    bundles: Array.from({ length: bundles }, (_, bundle): Bundle => {
      const offset = bundlesAt + bundle * sizes.bundle;
      return { from: u16(offset), to: u16(offset + 2), links: u32(offset + 4) };
    }),
    legend: Array.from({ length: legend }, (_, entry): LegendEntry => {
      const offset = legendAt + entry * sizes.legend;
      return {
        colour: mapColours[view.getUint8(offset)] ?? "region",
        value: view.getUint8(offset + 1),
        name: text(u32(offset + 8), u16(offset + 2)),
        pages: u32(offset + 4),
      };
    }),
  };
}

function readPages(view: DataView, start: number, count: number) {
  const columns = {
    xs: new Float32Array(count),
    ys: new Float32Array(count),
    radii: new Float32Array(count),
    colours: new Uint8Array(count),
  };
  const radiusOf = Float32Array.from({ length: 256 }, (_, size) => 2 ** (size / 8 - 16) / width);
  for (let page = 0; page < count; page += 1) {
    const offset = start + page * sizes.node;
    columns.xs[page] = view.getUint16(offset, true) / width;
    columns.ys[page] = view.getUint16(offset + 2, true) / width;
    columns.radii[page] = at(radiusOf, view.getUint8(offset + 4));
    columns.colours[page] = view.getUint8(offset + 5);
  }
  return columns;
}

/** The regions of the first level. Their numbers are the colours of a map by region. */
export const topRegions = ({ regions }: MapFile): readonly Region[] =>
  regions.filter(({ parent }) => parent === null);
