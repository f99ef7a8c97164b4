import { graphWords } from "../words.ts";

/** A button that reads the next part of a list, if there is one. */
export function MoreButton({
  query,
  label = graphWords.more,
}: {
  query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  label?: string;
}) {
  return query.hasNextPage ? (
    <button
      type="button"
      className="button button-small justify-self-start"
      aria-disabled={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {query.isFetchingNextPage ? graphWords.loadingMore : label}
    </button>
  ) : null;
}
