import type { Node } from "@clew/client";
import { PageIcon, titleOf } from "./page-name.tsx";
import type { Placed } from "./place.ts";
import { PlaceLine } from "./place-line.tsx";

/** A page in a list to choose from: its title, and where it is if that is known. */
export function PageChoice({ item }: { item: Placed | { readonly node: Node } }) {
  return (
    <>
      <PageIcon node={item.node} size={16} />
      <span className="min-w-0 flex-1">
        <bdi className="line-clamp-2">{titleOf(item.node)}</bdi>
        {"breadcrumb" in item ? <PlaceLine item={item} /> : null}
      </span>
    </>
  );
}
