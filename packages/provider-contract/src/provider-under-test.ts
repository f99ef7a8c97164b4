import type { Provider } from "@clew/provider";

/** A paragraph of a page: a sentence, or a link to another page of the sample by its title. */
export type Paragraph = string | { readonly linkTo: string };

/** A page of the sample. Titles differ. */
export interface SamplePage {
  readonly title: string;
  /** The title of the page that contains it; null at the root of the workspace. */
  readonly parent: string | null;
  readonly text: readonly Paragraph[];
}

/** A database of the sample at the root of the workspace, with rows that have no text. */
export interface SampleDatabase {
  readonly title: string;
  readonly rows: readonly string[];
}

/** The workspace that every case begins with. */
export interface Sample {
  readonly pages: readonly SamplePage[];
  readonly databases: readonly SampleDatabase[];
}

/**
 * The behavior of the service behind a provider. `busy` refuses calls for the rate limit, and `busy once` the next call
 * alone; both ask to wait a second. `garbled` answers nothing that makes sense. `withdrawn` has ended the grant.
 */
export type Behavior = "well" | "busy once" | "busy" | "down" | "garbled" | "withdrawn";

/** A provider, and what the suite does to the workspace behind it. Waits of the provider take no real time. */
export interface ProviderUnderTest {
  readonly provider: Provider;
  /** The access token of a person with whom the whole sample is shared. */
  readonly accessToken: string;
  /** The behaviors that the service cannot have, and why; by default it can have all of them. Every service can be down. */
  readonly never?: Readonly<Partial<Record<Exclude<Behavior, "well" | "down">, string>>>;
  /** Replaces the text of a page, long enough after its last edit for the provider to tell the two times apart. */
  rewrite(title: string, text: readonly Paragraph[]): Promise<void>;
  remove(title: string): Promise<void>;
  /** Gives a page of the sample a tag; absent if the provider has none. */
  tag?(title: string, tag: string): Promise<void>;
  behave(as: Behavior): Promise<void>;
  close(): Promise<void>;
}

/** Serves the sample through a new provider. */
export type OpenProvider = (sample: Sample) => Promise<ProviderUnderTest>;

/** A rule that every provider keeps. `run` throws an `AssertionError` if this one does not. */
export interface Case {
  /** The ids of the rules in docs/specification.md, and what a provider does for them. */
  readonly name: string;
  /** A behavior without which it shows nothing. */
  readonly needs?: Behavior;
  run(under: ProviderUnderTest): Promise<void>;
}
