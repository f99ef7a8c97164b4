import type { MatchKind } from "./vocabulary.ts";

interface FoundByTitle {
  readonly node: { readonly id: string };
  readonly match: MatchKind | null;
}

interface FoundByText {
  readonly node: { readonly id: string };
  /** The words of the query that the page lacks. */
  readonly missing: readonly string[];
}

/** Results of both searches for one query, in the order of a list. */
interface FoundOrder<ByTitle, ByText> {
  readonly first: readonly (ByTitle | ByText)[];
  readonly rest: readonly ByText[];
  readonly last: readonly ByTitle[];
}

/** Titles that only the title search finds: the text search knows no typos and no parts of words. */
const mostTitles = 3;

/**
 * Orders what the title search and the text search found, both best first. `first` has the pages whose title or alias is the query,
 * then a few that only the title search found; `rest` has the other results of the text search; `last` has titles that resemble the
 * query but for a typo, unless no text has every word: then they are among `first`.
 */
export function orderFound<ByTitle extends FoundByTitle, ByText extends FoundByText>(
  titles: readonly ByTitle[],
  texts: readonly ByText[],
): FoundOrder<ByTitle, ByText> {
  const byText = new Map(texts.map((item) => [item.node.id, item]));
  const exact = titles.filter(({ match }) => match === "exact");
  const exactIds = new Set(exact.map(({ node }) => node.id));
  const onlyTitles = titles.filter(({ node }) => !exactIds.has(node.id) && !byText.has(node.id));
  const isTypo = ({ match }: ByTitle) =>
    match === "fuzzy" && texts.some(({ missing }) => missing.length === 0);
  return {
    first: [
      ...exact.map((item) => byText.get(item.node.id) ?? item),
      ...onlyTitles.filter((item) => !isTypo(item)).slice(0, mostTitles),
    ],
    rest: texts.filter(({ node }) => !exactIds.has(node.id)),
    last: onlyTitles.filter(isTypo).slice(0, mostTitles),
  };
}
