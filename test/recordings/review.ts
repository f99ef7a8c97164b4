import { type Kind, kindOf } from "./kind.ts";
import { type Reading, read } from "./reading.ts";
import { type Recording, readRecordings } from "./recording.ts";
import { idsLedTo } from "./scan.ts";

/** The result for one recording. */
export interface Review {
  readonly name: string;
  readonly kind: Kind | null;
  /** Null if it could not be read; `fault` says why. */
  readonly reading: Reading | null;
  readonly fault: unknown;
  /** Ids that the scan found and the provider's code did not, with their places. */
  readonly missed: readonly { readonly id: string; readonly place: string }[];
}

/** Reviews every recording in a folder. */
export async function reviewFolder(folder: string): Promise<Review[]> {
  return Promise.all((await readRecordings(folder)).map(review));
}

async function review({ name, json }: Recording): Promise<Review> {
  const kind = kindOf(json);
  if (kind === null) return { name, kind, reading: null, fault: "nothing that is known", missed: [] };
  try {
    const reading = await read(kind, json);
    const found = new Set(reading.references.map((reference) => reference.split(" ").at(-1)));
    const missed = [...idsLedTo(json)].filter(([id]) => !found.has(id)).map(([id, place]) => ({ id, place }));
    return { name, kind, reading, fault: null, missed };
  } catch (fault) {
    return { name, kind, reading: null, fault, missed: [] };
  }
}
