import { type MatchKind, matchKinds } from "@clew/contract/vocabulary";
import { fold } from "@clew/text/basics";
import type { NodeId } from "../node.ts";
import type { NamedNode } from "./graph-input.ts";
import { type GraphModel, modelDegree } from "./graph-model.ts";

const letters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;
const isPlain = (text: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(text);

/** The words of a query: split at white space and punctuation except a few signs; the whole query if nothing is left. */
function queryWords(query: string): string[] {
  const words = query
    .replace(/(?![#@&%*])\p{P}/gu, " ")
    .split(" ")
    .filter((word) => word !== "");
  return words.length > 0 ? words : [query];
}

/** Optimal string alignment distance, from the textbook. */
function alignmentDistance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  const rows = [...a, ""].map(() => [...b, ""].map(() => 0));
  const get = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      const row = rows[i] ?? [];
      if (i === 0 || j === 0) {
        row[j] = i + j;
        continue;
      }
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        get(i - 1, j) + 1,
        get(i, j - 1) + 1,
        get(i - 1, j - 1) + same,
        swapped ? get(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return get(a.length, b.length);
}

/** The places at which a word begins some word of a title. */
function beginnings(title: string, word: string): number[] {
  const characters = [...title];
  return characters.flatMap((first, index) => {
    const before = characters[index - 1] ?? " ";
    const begins = before === " " || (isPlain(first) && !isPlain(before));
    const place = characters.slice(0, index).join("").length;
    return begins && title.startsWith(word, place) ? [place] : [];
  });
}

const beginsSomeWord = (title: string, word: string) => beginnings(title, word).length > 0;

/** Whether words begin words of a title in this order, with only signs between them. `from`: where the word before ends. */
function standTogether(title: string, [word, ...others]: readonly string[], from?: number): boolean {
  if (word === undefined) return true;
  return beginnings(title, word).some((place) => {
    const isNext =
      from === undefined || (place >= from && !/[\p{L}\p{N}\p{M}]/u.test(title.slice(from, place)));
    return isNext && standTogether(title, others, place + word.length);
  });
}

/** Whether a word begins some word of a title but for one typo. */
function beginsWithTypo(title: string, word: string): boolean {
  if (!isPlain(word)) return false;
  return (title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).some((meant) => {
    const prefixes = [...meant].map((_, index) => [...meant].slice(0, index + 1).join(""));
    return prefixes.some(
      (beginning) =>
        Math.max(letters(word), letters(beginning)) >= 5 && alignmentDistance(word, beginning) <= 1,
    );
  });
}

/** The match of a title or an alias with a query, as the rule says it. */
function modelMatch(title: string, query: string): MatchKind | null {
  const [foldedTitle, foldedQuery] = [fold(title), fold(query)];
  if (foldedTitle === "" || foldedQuery === "") return null;
  if (foldedTitle === foldedQuery) return "exact";
  if (foldedTitle.startsWith(foldedQuery)) return "prefix";
  const words = queryWords(foldedQuery);
  const occurs = (word: string) => foldedTitle.includes(word);
  if (words.every((word) => beginsSomeWord(foldedTitle, word))) return "words";
  if (words.every(occurs)) return "substring";
  if (words.every((word) => occurs(word) || beginsWithTypo(foldedTitle, word))) return "fuzzy";
  return null;
}

/** The position of a name among those that match a query: kind, within `words` together or not and length; the lower, the better. */
function modelPlace(name: string, query: string): readonly number[] | null {
  const match = modelMatch(name, query);
  if (match === null) return null;
  const kind = matchKinds.indexOf(match);
  if (match !== "words") return [kind, 0, 0];
  const isTogether = standTogether(fold(name), queryWords(fold(query)));
  return [kind, isTogether ? 0 : 1, [...fold(name)].length];
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** All nodes that match, best first: each by the one of its names that matches best. */
export function modelSearch(
  model: GraphModel,
  query: string,
  type?: string,
): { id: NodeId; match: MatchKind }[] {
  const namesOf = ({ title, aliases = [] }: NamedNode) => [title, ...aliases];
  const names = new Set(model.nodes.flatMap(namesOf));
  const places = new Map([...names].map((name) => [name, modelPlace(name, query)]));
  const ranked = model.nodes.flatMap((node) => {
    const [place] = namesOf(node)
      .map((name) => places.get(name) ?? null)
      .filter((found) => found !== null)
      .sort(comparePlaces);
    const match = matchKinds[place?.[0] ?? -1];
    if (place === undefined || match === undefined || (type !== undefined && node.type !== type)) return [];
    const degree = modelDegree(model, node.id);
    return [{ ...node, match, place, degree: degree.in + degree.out }];
  });
  // Nodes come by id, and sorting is stable.
  return ranked
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .sort((a, b) => b.degree - a.degree)
    .sort((a, b) => comparePlaces(a.place, b.place))
    .map(({ id, match }) => ({ id, match }));
}
