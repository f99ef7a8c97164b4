/** Reads a typed array at an index that the caller knows to be inside it. */
export const at = (column: Uint32Array, index: number): number => column[index] as number;
export const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] as number;

/** The stored index is lost or damaged. It has to be built anew from the texts (GRAPH-18). */
export class IndexDamagedError extends Error {
  override readonly name = "IndexDamagedError";
}

/** Compares byte strings; terms in UTF-8 so compare by code points. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = byteAt(a, index) - byteAt(b, index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && compareBytes(bytes.subarray(0, prefix.length), prefix) === 0;
}

/** Bytes that grow as they are written. Numbers take seven bits a byte, the lowest first. */
export class ByteWriter {
  bytes = new Uint8Array(256);
  length = 0;

  reserve(more: number): void {
    const least = this.length + more;
    if (least <= this.bytes.length) return;
    const longer = new Uint8Array(Math.max(2 * this.bytes.length, least));
    longer.set(this.bytes.subarray(0, this.length));
    this.bytes = longer;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length] = value;
    this.length += 1;
  }

  /** Writes an integer below 2³². */
  uint(value: number): void {
    this.reserve(5);
    const bytes = this.bytes;
    let index = this.length;
    let left = value;
    while (left > 0x7f) {
      bytes[index] = (left & 0x7f) | 0x80;
      index += 1;
      left >>>= 7;
    }
    bytes[index] = left;
    this.length = index + 1;
  }

  /** Writes an integer below 2⁵³. */
  long(value: number): void {
    this.uint(Math.floor(value / 2 ** 31));
    this.uint(value % 2 ** 31);
  }

  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.reserve(end - start);
    // Below this size, copying bytes one by one is as fast as a view.
    if (end - start < 64) {
      for (let index = start; index < end; index += 1) {
        this.bytes[this.length + index - start] = byteAt(bytes, index);
      }
    } else {
      this.bytes.set(bytes.subarray(start, end), this.length);
    }
    this.length += end - start;
  }

  clear(): void {
    this.length = 0;
  }

  /** A copy of what was written. */
  copy(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  readonly bytes: Uint8Array;
  index: number;

  constructor(bytes: Uint8Array, index = 0) {
    this.bytes = bytes;
    this.index = index;
  }

  uint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.index];
      if (byte === undefined) throw new IndexDamagedError("a block of the text index ends too early");
      this.index += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  long(): number {
    const high = this.uint();
    return high * 2 ** 31 + this.uint();
  }

  /** A view of the next bytes. */
  take(length: number): Uint8Array {
    const start = this.index;
    this.skip(length);
    return this.bytes.subarray(start, this.index);
  }

  skip(length: number): void {
    const end = this.index + length;
    if (end > this.bytes.length) throw new IndexDamagedError("a block of the text index ends too early");
    this.index = end;
  }
}

/** MurmurHash3 (x86, 32 bits) of the bytes from `start` on. */
export function checksum(bytes: Uint8Array, start: number, seed: number): number {
  let hash = seed | 0;
  const whole = start + ((bytes.length - start) & ~3);
  for (let index = start; index < whole; index += 4) {
    const word =
      byteAt(bytes, index) |
      (byteAt(bytes, index + 1) << 8) |
      (byteAt(bytes, index + 2) << 16) |
      (byteAt(bytes, index + 3) << 24);
    hash ^= scrambled(word);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64) | 0;
  }
  let tail = 0;
  for (let index = bytes.length - 1; index >= whole; index -= 1) tail = (tail << 8) | byteAt(bytes, index);
  hash ^= scrambled(tail) ^ (bytes.length - start);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scrambled(word: number): number {
  const product = Math.imul(word, 0xcc9e_2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b87_3593);
}

/** Bytes that begin with the checksum of what follows. */
export function sealed(content: Uint8Array, seed: number): Uint8Array {
  const bytes = new Uint8Array(content.length + 4);
  bytes.set(content, 4);
  const sum = checksum(bytes, 4, seed);
  for (let index = 0; index < 4; index += 1) bytes[index] = (sum >>> (8 * index)) & 0xff;
  return bytes;
}

/** The start of the content of sealed bytes. Throws `IndexDamagedError` if the bytes have changed since they were sealed. */
export function checkSeal(bytes: Uint8Array, seed: number, what: string): number {
  if (bytes.length >= 4) {
    const sum =
      byteAt(bytes, 0) | (byteAt(bytes, 1) << 8) | (byteAt(bytes, 2) << 16) | (byteAt(bytes, 3) << 24);
    if (sum >>> 0 === checksum(bytes, 4, seed)) return 4;
  }
  throw new IndexDamagedError(`${what} of the text index is damaged`);
}
