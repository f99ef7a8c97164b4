import { explain } from "../../api/explain.ts";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/states.tsx";
import { failureWords } from "../../words.ts";

/** The message in place of a list that has not been read: it is being read, or the reason why it could not be. */
export function Pending({ query }: { query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  return query.error === null ? (
    <Loading />
  ) : (
    <Notice kind="danger" action={{ label: failureWords.tryAgain, run: () => void query.refetch() }}>
      {explain(query.error)}
    </Notice>
  );
}
