import { readFileSync } from "node:fs";

/** Debian's packages by the libraries in them that Clew's binaries link with. */
const packageOf: Readonly<Record<string, string>> = {
  "ld-linux-aarch64.so.1": "libc6",
  "ld-linux-x86-64.so.2": "libc6",
  "libatomic.so.1": "libatomic1",
  "libc.so.6": "libc6",
  "libdl.so.2": "libc6",
  "libgcc_s.so.1": "libgcc-s1",
  "libm.so.6": "libc6",
  "libpthread.so.0": "libc6",
  "libstdc++.so.6": "libstdc++6",
};

/**
 * The release of GCC that first had a version of the symbols of libstdc++, by its last number (the library's manual, ABI
 * Policy and Guidelines). Debian numbers libstdc++6 by these releases.
 */
const releaseOfGcc: Readonly<Record<string, string>> = {
  "21": "5",
  "22": "6",
  "23": "7",
  "24": "7.2",
  "25": "8",
  "26": "9",
  "27": "9.2",
  "28": "9.3",
  "29": "11",
  "30": "12",
  "31": "13",
  "32": "13.2",
  "33": "14",
  "34": "15",
};

/**
 * Computes the dependencies of a package from its binaries, as the field Depends has them: each library's package, in the
 * lowest version that has all symbols. Throws if a library is none that Debian's packages are known for.
 */
export function dependsOn(binaries: readonly string[]): string[] {
  const needed = new Map<string, string | null>();
  for (const file of binaries) {
    for (const { library, versions } of librariesOf(readFileSync(file))) {
      const name = packageOf[library];
      if (name === undefined) throw new Error(`${file} needs ${library}, whose package is not known`);
      const lowest = [needed.get(name) ?? null, ...versions.map(packageVersion)];
      needed.set(name, lowest.reduce(newer));
    }
  }
  return [...needed]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, version]) => (version === null ? name : `${name} (>= ${version})`));
}

/** The version of a package that has the symbols of a version; null if every release of Debian has them. */
function packageVersion(symbols: string): string | null {
  const glibc = /^GLIBC_(2\.\d+)/.exec(symbols)?.[1];
  if (glibc !== undefined) return glibc;
  const libstdcxx = /^GLIBCXX_3\.4\.(\d+)$/.exec(symbols)?.[1];
  if (libstdcxx === undefined || Number(libstdcxx) < 21) return null;
  const release = releaseOfGcc[libstdcxx];
  if (release === undefined) throw new Error(`the version of libstdc++6 that has ${symbols} is not known`);
  return release;
}

function newer(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one.localeCompare(other, "en", { numeric: true }) < 0 ? other : one;
}

/** A library that a binary links with, and the versions of its symbols that it uses. */
interface Library {
  readonly library: string;
  readonly versions: readonly string[];
}

const dynamicSection = 6;
const neededVersionsSection = 0x6ffffffe;
const neededTag = 1n;

/** Reads the libraries that a 64-bit little-endian ELF file links with (elf(5); Linux Standard Base, Symbol Versioning). */
function librariesOf(elf: Buffer): readonly Library[] {
  if (elf.toString("latin1", 0, 6) !== "\x7fELF\x02\x01")
    throw new Error("a binary is not a 64-bit little-endian ELF file");
  const sections = sectionsOf(elf);
  const versions = new Map<string, readonly string[]>();
  const libraries: string[] = [];
  for (const { type, offset, size, link } of sections) {
    const text = (position: number) => textAt(elf, (sections[link]?.offset ?? 0) + position);
    if (type === neededVersionsSection) {
      for (const need of chain(elf, offset)) {
        const symbols = chain(elf, need + elf.readUInt32LE(need + 8));
        versions.set(
          text(elf.readUInt32LE(need + 4)),
          symbols.map((symbol) => text(elf.readUInt32LE(symbol + 8))),
        );
      }
    } else if (type === dynamicSection) {
      for (let entry = offset; entry < offset + size; entry += 16) {
        if (elf.readBigUInt64LE(entry) !== neededTag) continue;
        libraries.push(text(Number(elf.readBigUInt64LE(entry + 8))));
      }
    }
  }
  return libraries.map((library) => ({ library, versions: versions.get(library) ?? [] }));
}

interface Section {
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  /** The index of the section with its texts. */
  readonly link: number;
}

function sectionsOf(elf: Buffer): readonly Section[] {
  const start = Number(elf.readBigUInt64LE(0x28));
  const [entrySize, count] = [elf.readUInt16LE(0x3a), elf.readUInt16LE(0x3c)];
  return Array.from({ length: count }, (_, index) => {
    const header = start + index * entrySize;
    return {
      type: elf.readUInt32LE(header + 4),
      offset: Number(elf.readBigUInt64LE(header + 0x18)),
      size: Number(elf.readBigUInt64LE(header + 0x20)),
      link: elf.readUInt32LE(header + 0x28),
    };
  });
}

/** The positions of the records of a list of needed versions: each has the distance to the next one, 0 in the last one. */
function chain(elf: Buffer, start: number): readonly number[] {
  const positions = [start];
  for (let position = start; elf.readUInt32LE(position + 12) !== 0; ) {
    position += elf.readUInt32LE(position + 12);
    positions.push(position);
  }
  return positions;
}

const textAt = (elf: Buffer, start: number) => elf.toString("latin1", start, elf.indexOf(0, start));
