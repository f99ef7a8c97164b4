import type { Entry } from "./entry.ts";
import { idOf, parseId } from "./ids.ts";

/** An id, and the name from which it was derived. */
interface Identity {
  readonly id: string;
  readonly origin: string;
}

/**
 * Gives pages and databases their ids, so that no two have the same: an id is derived from its origin, which is the path
 * that the page had at first. A page that has moved carries its origin with it.
 */
export class Origins {
  readonly #ids: Map<string, string>;
  readonly #carried = new Map<string, string>();
  readonly #used = new Set<string>();

  /** `ids` remembers derived ids from one scan to the next. */
  constructor(ids = new Map<string, string>()) {
    this.#ids = ids;
  }

  /** Lets the page whose text is at a place keep this origin. An id that front matter gave is not kept for its page. */
  carry(place: string, origin: string): void {
    if (parseId(origin) !== null || this.#used.has(origin)) return;
    this.#carried.set(place, origin);
    this.#used.add(origin);
  }

  /** Identifies the page or database at a path, whose text is at a place. */
  claim(kind: Entry["kind"], path: string, place: string): Identity {
    const origin = this.#carried.get(place) ?? this.#free(path);
    this.#used.add(origin);
    return { id: this.#idOf(kind, origin), origin };
  }

  /** The id that a page at this path would have. */
  idOfMissing(path: string): string {
    return this.#idOf("page", this.#free(path));
  }

  #free(path: string): string {
    if (!this.#used.has(path)) return path;
    for (let count = 2; ; count += 1) {
      const origin = `${path}\n${count}`;
      if (!this.#used.has(origin)) return origin;
    }
  }

  #idOf(kind: Entry["kind"], origin: string): string {
    const key = `${kind}\0${origin}`;
    const id = this.#ids.get(key) ?? idOf(kind, origin);
    this.#ids.set(key, id);
    return id;
  }
}

/** The place of the text of a page or database: the path of its file, or that of its folder with a slash. */
export function placeOf({
  file,
  path,
}: Pick<Entry, "path"> & { readonly file: { readonly path: string } | null }): string {
  return file?.path ?? `${path}/`;
}
