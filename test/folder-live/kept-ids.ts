import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The texts of a folder by the paths of their files. */
type State = ReadonlyMap<string, string>;

/** A file that must have kept its id. */
interface Kept {
  readonly from: string;
  readonly to: string;
}

/**
 * The states of a folder in which Clew may have seen it, from which it follows which ids must stay (SRC-2): that of a file whose text
 * is at exactly one place in each of them, and whose every move any two scans would tell from the places of texts alone.
 */
export class KeptIds {
  readonly #root: string;
  #states: State[] = [];
  /** The state that Clew will find when it starts; null while it runs. */
  #unseen: State | null = null;
  #isDown = false;
  /** The texts that were at two places at a time, or have gone: where such a text is does not tell whose it is. */
  readonly #ambiguous = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Takes note of the folder as it is now. */
  async record(): Promise<void> {
    const state = await readState(this.#root);
    if (this.#isDown) this.#unseen = state;
    else this.#see(state);
  }

  /** Nothing is seen from now on. */
  clewEnds(): void {
    this.#isDown = true;
  }

  clewStarts(): void {
    if (this.#unseen !== null) this.#see(this.#unseen);
    this.#isDown = false;
    this.#unseen = null;
  }

  /** The files that must have kept their ids since the last call. Clew has seen the folder as it is now. */
  take(): Kept[] {
    const states = this.#states;
    const [first, last] = [states[0], states.at(-1)];
    if (first === undefined || last === undefined) return [];
    this.#states = [last];
    const placed = states.map(placesOf);
    return [...first].flatMap(([from, text]) => {
      const places = placed.map((each) => each.get(text)?.[0] ?? null);
      const to = places.at(-1) ?? null;
      if (this.#ambiguous.has(text) || to === null) return [];
      return isFollowed(text, states, placed, this.#ambiguous) ? [{ from, to }] : [];
    });
  }

  #see(state: State): void {
    const places = placesOf(state);
    for (const [text, { length }] of places) if (length > 1) this.#ambiguous.add(text);
    for (const text of this.#states.at(-1)?.values() ?? []) if (!places.has(text)) this.#ambiguous.add(text);
    this.#states.push(state);
  }
}

/** Whether each two scans would tell where a text went, whichever two of these states they saw. */
function isFollowed(
  text: string,
  states: readonly State[],
  placed: readonly ReadonlyMap<string, readonly string[]>[],
  ambiguous: ReadonlySet<string>,
): boolean {
  for (const [index, before] of placed.entries())
    for (let next = index + 1; next < placed.length; next += 1) {
      const [from, to] = [before.get(text)?.[0], placed[next]?.get(text)?.[0]];
      if (from === undefined || to === undefined) return false;
      if (from !== to && !isVisible(from, before, states[next] ?? new Map(), ambiguous)) return false;
    }
  return true;
}

/**
 * Whether a move away from a place is visible: nothing is there afterwards, or another text that has visibly moved there, as
 * when two files swap their names.
 */
function isVisible(
  from: string,
  before: ReadonlyMap<string, readonly string[]>,
  after: State,
  ambiguous: ReadonlySet<string>,
): boolean {
  const visited = new Set<string>();
  for (let place = from; ; ) {
    const text = after.get(place);
    if (text === undefined || visited.has(place)) return true;
    visited.add(place);
    const [source] = before.get(text) ?? [];
    if (source === undefined || ambiguous.has(text)) return false;
    place = source;
  }
}

function placesOf(state: State): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const [place, text] of state) places.set(text, [...(places.get(text) ?? []), place]);
  return places;
}

async function readState(root: string): Promise<State> {
  const found = await readdir(root, { withFileTypes: true, recursive: true });
  const files = found.filter((entry) => entry.isFile() && entry.name.endsWith(".md"));
  const texts = await Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file), await readFile(file, "utf8")] as const;
    }),
  );
  return new Map(texts);
}
