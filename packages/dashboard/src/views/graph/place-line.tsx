import { Fragment } from "react";
import { graphWords } from "../../words.ts";
import { titleOf } from "./page-name.tsx";
import { type Placed, shortBreadcrumb } from "./place.ts";

/** The place of a listed page, on one line. Long titles are cut at their ends, a long breadcrumb in the middle. */
export function PlaceLine({ item }: { item: Placed }) {
  const above = shortBreadcrumb(item);
  const all = [...(item.breadcrumb_truncated ? ["…"] : []), ...(item.breadcrumb ?? []).map(titleOf)];
  return (
    <span className="flex min-w-0 gap-1.5 text-sm text-quiet" title={all.join(" / ")}>
      {above.length === 0 ? graphWords.topLevel : null}
      {above.map((page, index) => (
        <Fragment key={page?.id ?? "left out"}>
          {index === 0 ? null : <span>/</span>}
          {page === null ? <span>…</span> : <bdi className="min-w-6 truncate">{titleOf(page)}</bdi>}
        </Fragment>
      ))}
    </span>
  );
}
