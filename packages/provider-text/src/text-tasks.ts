import type { NodeId } from "@clew/graph";
import type { PageContent, ShownTitle } from "@clew/provider";
import { type TextAddresses, withoutExpiringUrls } from "./addresses.ts";
import { referencesIn } from "./references.ts";
import { withoutScriptLinks } from "./script-links.ts";
import { shownTitles, withTitles } from "./shown-titles.ts";

/** The part of a page's content that is read from its text. */
type ReadText = Pick<PageContent, "markdown" | "references" | "mentioned" | "children" | "titles">;

/** A text, and the titles that it is to show. */
interface TitledText {
  readonly markdown: string;
  readonly titles: ReadonlyMap<NodeId, string>;
}

/**
 * The work on a page's text that every provider has. It has no state and no I/O, and its inputs and results can be sent to
 * a thread. `addressesIn` says what addresses open, for the data of a dialect.
 */
export function textTasksFor<Dialect>(addressesIn: (dialect: Dialect) => TextAddresses) {
  return {
    /** A whole text as it is stored, with the references in it. */
    content(markdown: string, dialect: Dialect): ReadText {
      const addresses = addressesIn(dialect);
      const stored = withoutScriptLinks(withoutExpiringUrls(markdown, addresses.isUpload));
      return {
        markdown: stored,
        titles: shownTitles(stored, addresses),
        ...referencesIn(stored, addresses),
      };
    },

    references: (markdown: string, dialect: Dialect) => referencesIn(markdown, addressesIn(dialect)),

    shownTitles: (markdown: string, dialect: Dialect): ShownTitle[] =>
      shownTitles(markdown, addressesIn(dialect)),

    /** A stored text with these titles in place of those that it shows, and the references in it. */
    retitled(
      { markdown, titles }: TitledText,
      dialect: Dialect,
    ): Pick<PageContent, "markdown" | "references" | "children"> {
      const addresses = addressesIn(dialect);
      const text = withTitles(markdown, titles, addresses);
      const { references, children } = referencesIn(text, addresses);
      return { markdown: text, references, children };
    },
  };
}
