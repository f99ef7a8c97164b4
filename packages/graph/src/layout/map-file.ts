import { type MapColour, mapColours, mapFormat } from "@clew/contract/vocabulary";
import { at, byteAt, floatAt, unitAt } from "../columns.ts";
import type { Circles } from "./arrangement.ts";
import type { Palette } from "./colours.ts";
import type { RegionName } from "./region-names.ts";
import { noRegion, type Regions, topOf } from "./regions.ts";

const { headerBytes, regionBytes, bundleBytes, legendBytes, nodeBytes } = mapFormat;

/** Links between two regions of the first level. */
export interface Bundle {
  readonly from: number;
  readonly to: number;
  readonly links: number;
}

/** A map before it is written. */
export interface MapContent {
  readonly graphVersion: number;
  readonly isByLinks: boolean;
  readonly regions: Regions;
  readonly circles: Circles;
  readonly pageCounts: Uint32Array;
  readonly names: readonly RegionName[];
  readonly bundles: readonly Bundle[];
  readonly palettes: readonly Palette[];
  /** Writes the places and sizes of all pages, which begin at `start`. */
  writePages(view: DataView, start: number): void;
}

/** Names are cut after this many bytes. */
const mostNameBytes = 160;

/**
 * Writes a map with the colours of its regions, as the contract describes it, in memory that threads can share. The other colours
 * follow, a column each, for `withColour`.
 */
export function writeMap(content: MapContent): Uint8Array {
  const { regions, names, bundles, palettes } = content;
  const texts = new Texts();
  const regionNames = names.map(({ name }) => texts.add(name));
  const legend = palettes.flatMap(({ colour, legend }) =>
    legend.map((entry) => ({ ...entry, colour: mapColours.indexOf(colour), text: texts.add(entry.name) })),
  );
  const count = regions.homes.length;
  const bundlesAt = headerBytes + names.length * regionBytes;
  const legendAt = bundlesAt + bundles.length * bundleBytes;
  const textsAt = legendAt + legend.length * legendBytes;
  const pagesAt = textsAt + texts.length;
  const end = pagesAt + count * nodeBytes;
  const bytes = new Uint8Array(new SharedArrayBuffer(end + palettes.length * count));
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < mapFormat.magic.length; index += 1)
    view.setUint8(index, mapFormat.magic.charCodeAt(index));
  view.setUint16(4, mapFormat.version, true);
  view.setUint16(6, headerBytes, true);
  view.setUint32(8, count, true);
  view.setFloat64(12, content.graphVersion, true);
  view.setUint16(20, names.length, true);
  view.setUint16(22, bundles.length, true);
  view.setUint16(24, legend.length, true);
  view.setUint8(colourAt, mapColours.indexOf("region"));
  view.setUint8(27, content.isByLinks ? 1 : 0);
  view.setUint32(28, textsAt, true);
  view.setUint32(pagesAtAt, pagesAt, true);
  for (const [region, { page }] of names.entries()) {
    const offset = headerBytes + region * regionBytes;
    const parent = unitAt(regions.parents, region);
    view.setUint16(offset, Math.round(floatAt(content.circles.xs, region)), true);
    view.setUint16(offset + 2, Math.round(floatAt(content.circles.ys, region)), true);
    view.setUint16(offset + 4, Math.round(floatAt(content.circles.radii, region)), true);
    view.setUint8(offset + 6, parent === noRegion ? 1 : 2);
    view.setUint16(offset + 8, parent, true);
    view.setUint16(offset + 10, regionNames[region]?.length ?? 0, true);
    view.setUint32(offset + 12, at(content.pageCounts, region), true);
    view.setUint32(offset + 16, regionNames[region]?.start ?? 0, true);
    view.setUint32(offset + 20, page, true);
  }
  for (const [index, { from, to, links }] of bundles.entries()) {
    const offset = bundlesAt + index * bundleBytes;
    view.setUint16(offset, from, true);
    view.setUint16(offset + 2, to, true);
    view.setUint32(offset + 4, links, true);
  }
  for (const [index, { colour, value, pages, text }] of legend.entries()) {
    const offset = legendAt + index * legendBytes;
    view.setUint8(offset, colour);
    view.setUint8(offset + 1, value);
    view.setUint16(offset + 2, text.length, true);
    view.setUint32(offset + 4, pages, true);
    view.setUint32(offset + 8, text.start, true);
  }
  texts.write(bytes, textsAt);
  content.writePages(view, pagesAt);
  for (let page = 0; page < count; page += 1)
    bytes[pagesAt + page * nodeBytes + 5] = topOf(regions, unitAt(regions.homes, page));
  for (const [index, { values }] of palettes.entries()) bytes.set(values, end + index * count);
  return bytes;
}

/** The offsets in the header of what the colours say, and of where the pages begin. */
const colourAt = 26;
const pagesAtAt = 32;

/** The map that clients get, of what `writeMap` wrote: with one of the colours. */
export function withColour(written: Uint8Array, colour: MapColour): Uint8Array {
  const view = new DataView(written.buffer, written.byteOffset, written.byteLength);
  const [count, pagesAt] = [view.getUint32(8, true), view.getUint32(pagesAtAt, true)];
  const end = pagesAt + count * nodeBytes;
  const number = mapColours.indexOf(colour);
  if (number === 0) return written.subarray(0, end);
  const map = new Uint8Array(end);
  map.set(written.subarray(0, end));
  map[colourAt] = number;
  const values = written.subarray(end + (number - 1) * count, end + number * count);
  for (let page = 0; page < count; page += 1) map[pagesAt + page * nodeBytes + 5] = byteAt(values, page);
  return map;
}

/** Texts one after the other. */
class Texts {
  readonly #parts: Uint8Array[] = [];
  readonly #known = new Map<string, { readonly start: number; readonly length: number }>();
  length = 0;

  add(text: string): { readonly start: number; readonly length: number } {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const bytes = cut(new TextEncoder().encode(text));
    const place = { start: this.length, length: bytes.length };
    this.#parts.push(bytes);
    this.#known.set(text, place);
    this.length += bytes.length;
    return place;
  }

  write(target: Uint8Array, offset: number): void {
    let end = offset;
    for (const part of this.#parts) {
      target.set(part, end);
      end += part.length;
    }
  }
}

/** The first bytes of a text, up to the end of a character. */
function cut(bytes: Uint8Array): Uint8Array {
  let end = Math.min(bytes.length, mostNameBytes);
  while (end < bytes.length && (byteAt(bytes, end) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
