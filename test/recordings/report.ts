/**
 * Prints the kind of each recorded answer of the provider, and the references that Clew finds in it.
 *
 *     RECORDINGS_DIR=<folder of JSON> npm run recordings
 */
import { type Review, reviewFolder } from "./review.ts";

function print({ name, kind, reading, fault, missed }: Review): void {
  console.log(`${name}: ${kind ?? "unknown"}, ${reading?.summary ?? `not understood: ${fault}`}`);
  for (const reference of reading?.references ?? []) console.log(`    ${reference}`);
  for (const { id, place } of missed) console.log(`    no reference to ${id} at ${place}`);
}

function printSums(reviews: readonly Review[]): void {
  const kinds = Map.groupBy(reviews, ({ kind }) => kind ?? "unknown");
  const references = reviews.flatMap(({ reading }) => reading?.references ?? []);
  const types = Map.groupBy(references, (reference) => reference.split(" ")[0] ?? "");
  const sizes = (groups: ReadonlyMap<string, readonly unknown[]>) =>
    [...groups].map(([name, members]) => `${members.length} ${name}`).join(", ");
  console.log(`\n${reviews.length} recordings: ${sizes(kinds)}`);
  console.log(`${references.length} references: ${sizes(types)}`);
}

const folder = process.env.RECORDINGS_DIR;
if (folder === undefined) {
  console.error("usage: RECORDINGS_DIR=<folder of recorded answers> npm run recordings");
  process.exitCode = 2;
} else {
  const reviews = await reviewFolder(folder);
  for (const review of reviews) print(review);
  printSums(reviews);
  process.exitCode = reviews.every(({ reading }) => reading !== null) ? 0 : 1;
}
