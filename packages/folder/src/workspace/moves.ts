/** The digest of each place's text. A place is the path of a file. */
export type Texts = ReadonlyMap<string, string>;

/**
 * Finds the places to which files have moved since, by the places where they were. Of files with the same text, only those
 * that also have the same name are told apart. A file whose place still exists has moved only if all texts are found again:
 * two files that swapped their names have, one that was copied and then edited has not.
 */
export function findMoves(
  before: Texts,
  now: Texts,
  renamed: ReadonlyMap<string, string>,
): Map<string, string> {
  const changed = (texts: Texts, others: Texts) =>
    [...texts].filter(([place, text]) => others.get(place) !== text);
  const gone = changed(before, now);
  if (gone.length === 0) return new Map();
  const found = new Map<string, string>();
  pair(gone, changed(now, before), ([place, text]) => `${nameOf(place)}\0${text}`, found);
  const taken = new Set(found.values());
  const left = gone.filter(([place]) => !found.has(place));
  const places = changed(now, before).filter(([place]) => !taken.has(place));
  pair(left, places, ([, text]) => text, found);
  const moves = followed(found, now);
  const targets = new Set(moves.values());
  // Git knows files that were edited as they moved.
  for (const [from, to] of renamed) {
    const isMove = before.has(from) && !now.has(from) && !before.has(to) && now.has(to);
    if (isMove && !moves.has(from) && !targets.has(to)) moves.set(from, to);
  }
  return moves;
}

type Place = readonly [place: string, text: string];

/** Pairs places that alone have a key. */
function pair(
  gone: readonly Place[],
  places: readonly Place[],
  keyOf: (place: Place) => string,
  found: Map<string, string>,
): void {
  const from = Map.groupBy(gone, keyOf);
  const to = Map.groupBy(places, keyOf);
  for (const [key, [source, ...more]] of from) {
    const [target, ...others] = to.get(key) ?? [];
    if (source !== undefined && target !== undefined && more.length === 0 && others.length === 0)
      found.set(source[0], target[0]);
  }
}

/** Keeps the chains of moves that begin at a place that no longer exists, and circles. */
function followed(found: ReadonlyMap<string, string>, now: Texts): Map<string, string> {
  const targets = new Set(found.values());
  const moves = new Map<string, string>();
  const follow = (start: string) => {
    let from: string | undefined = start;
    while (from !== undefined && !moves.has(from)) {
      const to = found.get(from);
      if (to === undefined) return;
      moves.set(from, to);
      from = to;
    }
  };
  for (const from of found.keys()) if (!now.has(from)) follow(from);
  for (const from of found.keys()) if (isCircle(from, found, targets)) follow(from);
  return moves;
}

function isCircle(start: string, found: ReadonlyMap<string, string>, targets: ReadonlySet<string>): boolean {
  if (!targets.has(start)) return false;
  let place = found.get(start);
  for (let count = 0; place !== undefined && place !== start && count < found.size; count += 1)
    place = found.get(place);
  return place === start;
}

/**
 * Finds the folder that each new folder was before, by the files that have moved from one to the other; the one of most
 * files, if it no longer exists.
 */
export function findFolderMoves(
  moves: ReadonlyMap<string, string>,
  isFolder: (path: string) => boolean,
): Map<string, string> {
  const votes = new Map<string, Map<string, number>>();
  for (const [from, to] of moves) {
    let [before, now] = [from, to];
    while (nameOf(before) === nameOf(now) && before.includes("/") && now.includes("/")) {
      [before, now] = [parentOf(before), parentOf(now)];
      if (before === now) break;
      const counts = votes.get(now) ?? new Map<string, number>();
      votes.set(now, counts.set(before, (counts.get(before) ?? 0) + 1));
    }
  }
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const [now, counts] of votes) {
    const [best] = [...counts]
      .filter(([path]) => !isFolder(path) && !taken.has(path))
      .sort(([, a], [, b]) => b - a);
    if (best === undefined) continue;
    taken.add(best[0]);
    found.set(best[0], now);
  }
  return found;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
