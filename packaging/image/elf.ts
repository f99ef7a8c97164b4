/**
 * Removes the symbol table and the debug information of a program or library: what comes after all that is loaded, and only
 * debuggers read. Does what `strip` does, for any architecture and with the same bytes on any machine. Throws if the content
 * is not 64-bit little-endian ELF. The fields are those of the System V ABI, chapter 4.
 */
export function withoutSymbols(elf: Buffer): Buffer {
  if (elf.toString("latin1", 0, 6) !== "\x7fELF\x02\x01")
    throw new Error("this is no 64-bit little-endian ELF");
  const sections = table(elf, sectionTable);
  const names = sections[elf.readUInt16LE(namesIndexAt)];
  if (names === undefined) throw new Error("this ELF file has no names of sections");
  // The first section is the empty one. Those before the last that is loaded keep their numbers, which others refer to.
  const kept = sections.slice(0, sections.findLastIndex(isLoaded) + 1);
  const loaded = table(elf, programTable).map(segmentEnd);
  const end = Math.max(...loaded, ...kept.map(contentEnd));
  const namesContent = elf.subarray(offsetOf(names), contentEnd(names));
  const padding = Buffer.alloc(-(end + namesContent.length) & 7);
  const movedNames = Buffer.from(names);
  movedNames.writeBigUInt64LE(BigInt(end), 0x18);
  const result = Buffer.concat([elf.subarray(0, end), namesContent, padding, ...kept, movedNames]);
  result.writeBigUInt64LE(BigInt(end + namesContent.length + padding.length), sectionTable.offsetAt);
  result.writeUInt16LE(kept.length + 1, sectionTable.countAt);
  result.writeUInt16LE(kept.length, namesIndexAt);
  return result;
}

/** The places in the file's header that say at which offset a table begins and how many entries it has. */
interface Table {
  readonly offsetAt: number;
  readonly countAt: number;
  readonly entrySize: number;
}

const programTable: Table = { offsetAt: 0x20, countAt: 0x38, entrySize: 56 };
const sectionTable: Table = { offsetAt: 0x28, countAt: 0x3c, entrySize: 64 };
const namesIndexAt = 0x3e;

function table(elf: Buffer, { offsetAt, countAt, entrySize }: Table): Buffer[] {
  const start = Number(elf.readBigUInt64LE(offsetAt));
  return Array.from({ length: elf.readUInt16LE(countAt) }, (_, index) =>
    elf.subarray(start + index * entrySize, start + (index + 1) * entrySize),
  );
}

/** Whether a section is in memory when the program runs (SHF_ALLOC). */
const isLoaded = (section: Buffer) => (section.readBigUInt64LE(0x08) & 2n) !== 0n;

const offsetOf = (section: Buffer) => Number(section.readBigUInt64LE(0x18));

/** The offset at which a section's content ends; its start if it has none in the file (SHT_NOBITS). */
const contentEnd = (section: Buffer) =>
  offsetOf(section) + (section.readUInt32LE(4) === 8 ? 0 : Number(section.readBigUInt64LE(0x20)));

const segmentEnd = (segment: Buffer) =>
  Number(segment.readBigUInt64LE(0x08)) + Number(segment.readBigUInt64LE(0x20));
