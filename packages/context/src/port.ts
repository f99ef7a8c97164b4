import type { Graph } from "@clew/graph";
import type { TextQuery } from "@clew/text-index";
import type { Found } from "./candidates.ts";

/** The material of a context. Graphs are named by their positions, and their nodes by their indexes. */
export interface ContextPort {
  readonly graphs: readonly Graph[];
  /** Searches the texts of all graphs. Returns at most `limit` pages, the most relevant first. */
  search(query: TextQuery, limit: number): Promise<TextSearch>;
  /** Reads a page; null if a sync has removed it since its graph was published. */
  readPage(page: PageRef): Promise<PageText | null>;
  /** The form of a page's URL in answers; null if it is left out. */
  shownUrl(url: string | null): string | null;
  /** Removes the characters that no reader sees. */
  visible(text: string): VisibleText;
  /** The note about hidden characters that were removed. */
  hiddenNote(characters: number): string;
  /** The note about a page of whose text a part is missing. */
  readonly truncatedNote: string;
}

/** A page by its graph and its index there. */
export interface PageRef {
  readonly source: number;
  readonly node: number;
}

export interface TextSearch {
  readonly found: readonly Found[];
  /** The weight of each word of the query, relative to the others. */
  readonly weights: readonly number[];
  /** The words that were too frequent to be looked for. */
  readonly ignored: readonly string[];
  /** Whether a limit ended the search. */
  readonly truncated: boolean;
}

interface PageText {
  readonly title: string;
  readonly aliases: readonly string[];
  readonly markdown: string;
  /** Whether a part of the text is missing, because the page could not be read whole. */
  readonly truncated: boolean;
}

/** A text without hidden characters. */
export interface VisibleText {
  readonly text: string;
  /** The number of hidden characters that it had. */
  readonly hidden: number;
}
