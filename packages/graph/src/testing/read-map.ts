import { mapColours, mapFormat } from "@clew/contract/vocabulary";

const { headerBytes, regionBytes, bundleBytes, legendBytes, nodeBytes } = mapFormat;

/** A region as a map has it, in units of the map. */
export interface ReadRegion {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly level: number;
  /** null on the first level. */
  readonly parent: number | null;
  readonly pages: number;
  readonly name: string;
  readonly page: number;
}

export type ReadMap = ReturnType<typeof readMap>;

/** Reads a map as the contract describes its format. Throws a RangeError if its parts do not end where the next ones begin. */
export function readMap(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  const [count, textsAt, pagesAt] = [
    view.getUint32(8, true),
    view.getUint32(28, true),
    view.getUint32(32, true),
  ];
  const [regions, bundles, legend] = [
    view.getUint16(20, true),
    view.getUint16(22, true),
    view.getUint16(24, true),
  ];
  const bundlesAt = headerBytes + regions * regionBytes;
  const legendAt = bundlesAt + bundles * bundleBytes;
  if (magic !== mapFormat.magic || view.getUint16(4, true) !== mapFormat.version)
    throw new RangeError("this is no map");
  if (legendAt + legend * legendBytes !== textsAt || pagesAt + count * nodeBytes !== bytes.byteLength)
    throw new RangeError("the parts of the map do not fit together");
  const text = (start: number, length: number) =>
    Buffer.from(bytes.subarray(textsAt + start, textsAt + start + length)).toString();
  return {
    count,
    graphVersion: view.getFloat64(12, true),
    colour: mapColours[view.getUint8(26)],
    isByLinks: view.getUint8(27) === 1,
    regions: Array.from({ length: regions }, (_, region): ReadRegion => {
      const offset = headerBytes + region * regionBytes;
      const parent = view.getUint16(offset + 8, true);
      return {
        x: view.getUint16(offset, true),
        y: view.getUint16(offset + 2, true),
        radius: view.getUint16(offset + 4, true),
        level: view.getUint8(offset + 6),
        parent: parent === mapFormat.none ? null : parent,
        pages: view.getUint32(offset + 12, true),
        name: text(view.getUint32(offset + 16, true), view.getUint16(offset + 10, true)),
        page: view.getUint32(offset + 20, true),
      };
    }),
    bundles: Array.from({ length: bundles }, (_, bundle) => {
      const offset = bundlesAt + bundle * bundleBytes;
      return {
        from: view.getUint16(offset, true),
        to: view.getUint16(offset + 2, true),
        links: view.getUint32(offset + 4, true),
      };
    }),
    legend: Array.from({ length: legend }, (_, entry) => {
      const offset = legendAt + entry * legendBytes;
      return {
        colour: mapColours[view.getUint8(offset)],
        value: view.getUint8(offset + 1),
        pages: view.getUint32(offset + 4, true),
        name: text(view.getUint32(offset + 8, true), view.getUint16(offset + 2, true)),
      };
    }),
    x: (page: number) => view.getUint16(pagesAt + page * nodeBytes, true),
    y: (page: number) => view.getUint16(pagesAt + page * nodeBytes + 2, true),
    radius: (page: number) =>
      mapFormat.smallestSize *
      2 ** (view.getUint8(pagesAt + page * nodeBytes + 4) / mapFormat.sizesPerDoubling),
    colourOf: (page: number) => view.getUint8(pagesAt + page * nodeBytes + 5),
  };
}
