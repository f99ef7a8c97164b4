import type { TreeBlock } from "@clew/text";

/** The destination of a link in the documentation. `href` and `src` are relative to `/docs/`. */
export type DocsDestination =
  | { readonly kind: "page" | "elsewhere"; readonly href: string }
  | { readonly kind: "picture"; readonly src: string; readonly darkSrc: string | null }
  /** A file of the repository, which Clew does not serve. */
  | { readonly kind: "file"; readonly path: string };

/** A heading with its name in addresses. */
export interface DocsHeading {
  readonly text: string;
  /** 2 for those below the title of the page. */
  readonly level: number;
  readonly anchor: string;
}

/** A page as it is rendered. */
export interface SitePage {
  /** Below `/docs/`. */
  readonly address: string;
  readonly title: string;
  readonly blocks: readonly TreeBlock[];
  readonly headings: ReadonlyMap<TreeBlock, DocsHeading>;
  readonly destinationOf: (address: string) => DocsDestination;
}

/** A group of links to pages, in the order of the list. */
export interface SiteSection {
  readonly title: string;
  readonly pages: readonly SiteLink[];
}

export interface SiteLink {
  readonly address: string;
  readonly title: string;
}

/** The part of a page below a heading, or above the first one, as search knows it. */
export interface SearchSection {
  /** Of the page, and of the heading; the heading is empty above the first one. */
  readonly page: string;
  readonly heading: string;
  /** Relative to `/docs/`. */
  readonly href: string;
  readonly text: string;
}
