import type { Provider } from "@clew/provider";

/** The parts of a source that lists of sources need. */
type Named = Pick<Provider, "slug"> & Partial<Pick<Provider, "product">>;

/** The sources that a process serves, each known by its slug: Notion before folders, or the demo workspace alone. */
export class Sources<Source extends Named = Provider> {
  readonly all: readonly [Source, ...Source[]];
  readonly #bySlug: ReadonlyMap<string, Source>;

  constructor(first: Source, ...others: readonly Source[]) {
    this.all = [first, ...others];
    this.#bySlug = new Map(this.all.map((source) => [source.slug, source]));
  }

  /** The source that the word `provider` in a path means for sign-in (SIGN-7). */
  get first(): Source {
    return this.all[0];
  }

  get slugs(): readonly string[] {
    return [...this.#bySlug.keys()];
  }

  /** Those of the sources for which this holds; null if there are none. */
  filter(holds: (source: Source) => boolean): Sources<Source> | null {
    const [first, ...others] = this.all.filter(holds);
    return first === undefined ? null : new Sources(first, ...others);
  }

  /** The names that people give to the pages of these sources, or of all: "Notion", or "Notion and hub". */
  products(slugs: readonly string[] = this.slugs): string {
    const named = this.all.filter(({ slug }) => slugs.includes(slug));
    const products = new Set((named.length === 0 ? this.all : named).map(({ product = "" }) => product));
    return [...products].join(" and ");
  }

  /** The source of a slug; null if it is not served. */
  find(slug: string): Source | null {
    return this.#bySlug.get(slug) ?? null;
  }

  /** The source of a slug that was read for these sources. Throws if it is not served. */
  of(slug: string): Source {
    const source = this.find(slug);
    if (source === null) throw new Error(`There is no source ${slug}.`);
    return source;
  }
}
