import { at, ByteReader, ByteWriter, checkSeal, IndexDamagedError, sealed } from "./bytes.ts";

/**
 * The pages of a segment and their sections, as columns in shared memory, so that several threads read one copy. Pages
 * ascend by id; a section is numbered within its segment, in the order of pages and texts.
 */
export interface SegmentPages {
  readonly pageCount: number;
  readonly sectionCount: number;
  /** 16 bytes a page. */
  readonly ids: Uint8Array;
  /** The version of the page's text; the caller chooses the numbers. */
  readonly versions: Float64Array;
  /** The first section of each page, and after the last page the number of sections. */
  readonly firstSections: Uint32Array;
  /** The page of each section. */
  readonly pageOf: Uint32Array;
  /** The start of each section in its page's text, in code points. */
  readonly starts: Uint32Array;
  /** Positions of each section, at most 65 535. */
  readonly lengths: Uint16Array;
  /** The position of each section's first word within its page. */
  readonly bases: Uint32Array;
}

export const idBytes = 16;
export const longestSection = 0xffff;

/** Room for the columns of a number of pages and sections, filled with zeros. */
export function newSegmentPages(pageCount: number, sectionCount: number): SegmentPages {
  const shared = (bytes: number) => new SharedArrayBuffer(bytes);
  const firstSections = new Uint32Array(shared(4 * (pageCount + 1)));
  firstSections[pageCount] = sectionCount;
  return {
    pageCount,
    sectionCount,
    ids: new Uint8Array(shared(idBytes * pageCount)),
    versions: new Float64Array(shared(8 * pageCount)),
    firstSections,
    pageOf: new Uint32Array(shared(4 * sectionCount)),
    starts: new Uint32Array(shared(4 * sectionCount)),
    lengths: new Uint16Array(shared(2 * sectionCount)),
    bases: new Uint32Array(shared(4 * sectionCount)),
  };
}

/** Bytes of the columns. */
export function segmentBytes({
  ids,
  versions,
  firstSections,
  pageOf,
  starts,
  lengths,
  bases,
}: SegmentPages): number {
  const columns = [ids, versions, firstSections, pageOf, starts, lengths, bases];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

const pagesPerChunk = 4096;
const chunkSeed = 0x7061_6765;

/** The columns as chunks of some hundred kilobytes, to be stored in this order. */
export function* encodePages(pages: SegmentPages): Generator<Uint8Array> {
  for (let first = 0; first === 0 || first < pages.pageCount; first += pagesPerChunk) {
    const end = Math.min(first + pagesPerChunk, pages.pageCount);
    const writer = new ByteWriter();
    const sections = at(pages.firstSections, end) - at(pages.firstSections, first);
    for (const number of [pages.pageCount, pages.sectionCount, first, end - first, sections])
      writer.uint(number);
    writer.append(pages.ids, first * idBytes, end * idBytes);
    for (let page = first; page < end; page += 1) encodePage(pages, page, writer);
    yield sealed(writer.copy(), chunkSeed);
  }
}

function encodePage(pages: SegmentPages, page: number, writer: ByteWriter): void {
  const first = at(pages.firstSections, page);
  const end = at(pages.firstSections, page + 1);
  writer.long(pages.versions[page] as number);
  writer.uint(end - first);
  let start = 0;
  let base = 0;
  for (let section = first; section < end; section += 1) {
    const length = pages.lengths[section] as number;
    writer.uint(at(pages.starts, section) - start);
    writer.uint(length);
    writer.uint(at(pages.bases, section) - base);
    start = at(pages.starts, section);
    base = at(pages.bases, section);
  }
}

/** Reads what `encodePages` wrote. Throws `IndexDamagedError` if a chunk is damaged or missing. */
export function decodePages(chunks: readonly Uint8Array[]): SegmentPages {
  let pages: SegmentPages | null = null;
  let page = 0;
  for (const chunk of chunks) {
    const reader = new ByteReader(chunk, checkSeal(chunk, chunkSeed, "a list of pages"));
    const [pageCount, sectionCount, first, count] = [
      reader.uint(),
      reader.uint(),
      reader.uint(),
      reader.uint(),
    ];
    reader.uint();
    pages ??= newSegmentPages(pageCount, sectionCount);
    if (first !== page || pages.pageCount !== pageCount || pages.sectionCount !== sectionCount)
      throw missingChunk();
    pages.ids.set(reader.take(idBytes * count), idBytes * first);
    for (const end = first + count; page < end; page += 1) decodePage(pages, page, reader);
  }
  const isWhole = pages !== null && pages.pageCount === page;
  if (pages === null || !isWhole || at(pages.firstSections, page) !== pages.sectionCount)
    throw missingChunk();
  return pages;
}

function decodePage(pages: SegmentPages, page: number, reader: ByteReader): void {
  pages.versions[page] = reader.long();
  const first = at(pages.firstSections, page);
  const end = first + reader.uint();
  if (end > pages.sectionCount) throw missingChunk();
  let start = 0;
  let base = 0;
  for (let section = first; section < end; section += 1) {
    start += reader.uint();
    const length = reader.uint();
    base += reader.uint();
    pages.pageOf[section] = page;
    pages.starts[section] = start;
    pages.lengths[section] = length;
    pages.bases[section] = base;
  }
  pages.firstSections[page + 1] = end;
}

const missingChunk = () => new IndexDamagedError("a list of pages of the text index is missing");
