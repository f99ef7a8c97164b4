import { hash } from "node:crypto";
import { highestOwner } from "../model/rendezvous.ts";

/** Slots of credentials: one for each value of the first twelve bits of their SHA-256. */
const slotCount = 4096;

/**
 * Which bucket a new credential of which hash belongs to. Each bucket has about as many slots as any other. When a bucket is added, it
 * takes its slots evenly from all others, and no other slot changes (rendezvous hashing): most credentials stay where their slot says.
 */
export class CredentialSlots {
  /** The bucket of each slot. */
  readonly #owners: Uint16Array;

  /** @param buckets The number of buckets, which are numbered from 1. */
  constructor(buckets: number) {
    const numbers = Array.from({ length: buckets }, (_, index) => index + 1);
    const numberOf = (slot: number) => (bucket: number) =>
      hash("sha256", `${slot} ${bucket}`, "buffer").readUIntBE(0, 6);
    this.#owners = Uint16Array.from(
      { length: slotCount },
      (_, slot) => highestOwner(numbers, numberOf(slot)) ?? 1,
    );
  }

  /** The bucket of a credential, by its SHA-256. */
  bucketOf(credentialHash: Uint8Array): number {
    const [first = 0, second = 0] = credentialHash;
    return this.#owners[(first << 4) | (second >> 4)] ?? 1;
  }
}
