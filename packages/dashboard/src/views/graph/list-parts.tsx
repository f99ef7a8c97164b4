import { explain } from "../../api/explain.ts";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/states.tsx";
import { failureWords, graphWords } from "../../words.ts";

/** A button that reads the next part of a list, where there is one. */
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

/** What stands in place of a list that has not been read: that it is being read, or why it could not be. */
export function Pending({ query }: { query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  return query.error === null ? (
    <Loading />
  ) : (
    <Notice kind="danger" action={{ label: failureWords.tryAgain, run: () => void query.refetch() }}>
      {explain(query.error)}
    </Notice>
  );
}
