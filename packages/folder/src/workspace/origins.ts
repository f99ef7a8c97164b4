import type { Entry } from "./entry.ts";
import { givenOrigin, type IdOf, idsIn, isGiven } from "./ids.ts";

/** An id, and the name from which it was derived. */
interface Identity {
  readonly id: string;
  readonly origin: string;
}

/** The origins of ids that pages have already. */
export interface KnownOrigins {
  /** The origin of the page whose text is at a place. */
  at(place: string): string | undefined;
  /** Whether a page has this origin, wherever it is now. */
  has(origin: string): boolean;
}

/** Ids by their origins. */
type DerivedIds = Readonly<Record<Entry["kind"], Map<string, string>>>;

export function newDerivedIds(): DerivedIds {
  return { page: new Map(), database: new Map() };
}

const nothingKnown: KnownOrigins = { at: () => undefined, has: () => false };

/**
 * Gives pages and databases their ids, so that no two have the same: an id is derived from its origin, which is the path
 * that the page had at first.
 */
export class Origins {
  readonly #known: KnownOrigins;
  readonly #derive: IdOf;
  readonly #ids: DerivedIds;
  readonly #claimed = new Set<string>();

  /** `ids` remembers derived ids from one scan to the next. */
  constructor(derive = idsIn(null), known = nothingKnown, ids = newDerivedIds()) {
    this.#derive = derive;
    this.#known = known;
    this.#ids = ids;
  }

  /** Identifies the page or database at a path, whose text is at a place. */
  claim(kind: Entry["kind"], path: string, place: string): Identity {
    const known = this.#known.at(place) ?? this.#known.at(`${path}/`);
    // An id that front matter gave is not kept for its page.
    const isKept = known !== undefined && !isGiven(known) && !this.#claimed.has(known);
    const origin = isKept ? known : this.#free(path);
    this.#claimed.add(origin);
    return { id: this.#idOf(kind, origin), origin };
  }

  /** Identifies the page or database whose front matter gives this id. */
  given(kind: Entry["kind"], id: string): Identity {
    const origin = givenOrigin(id);
    return { id: this.#idOf(kind, origin), origin };
  }

  /** The id that a page at this path would have. */
  idOfMissing(path: string): string {
    return this.#idOf("page", this.#free(path));
  }

  #free(path: string): string {
    let origin = path;
    for (let count = 2; this.#known.has(origin) || this.#claimed.has(origin); count += 1)
      origin = `${path}\n${count}`;
    return origin;
  }

  #idOf(kind: Entry["kind"], origin: string): string {
    const ids = this.#ids[kind];
    const known = ids.get(origin);
    if (known !== undefined) return known;
    const id = this.#derive(kind, origin);
    ids.set(origin, id);
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
