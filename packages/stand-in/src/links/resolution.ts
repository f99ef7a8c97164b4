import type { Entry } from "../workspace/entry.ts";
import { idOf } from "../workspace/ids.ts";

/**
 * Why a link into the workspace leads to no page. `missing`: nothing has this path or name · `outside`: above the
 * workspace · `malformed`: not a valid URL path.
 */
export type LinkFault = "missing" | "outside" | "malformed";

/**
 * Where a link leads: to a page or database, to a file that is no page, to somewhere that is none of the workspace's
 * business (`elsewhere`: another site, an address, a place in the same page), or nowhere. What leads nowhere names a page
 * by the id that it will have where it is made as the link says.
 */
export type Resolution =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "file" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "unresolved"; readonly reason: LinkFault; readonly id: string };

/** A link to a path, relative to the workspace, at which there is nothing; a slash at its end names a folder. */
export function unresolvedAt(place: string, reason: LinkFault = "missing"): Resolution {
  const isFile = /\.mdx?$/i.test(place);
  const page = place.endsWith("/") ? place.slice(0, -1) : isFile ? place : `${place}.md`;
  const isOutside = page === ".." || page.startsWith("../");
  return {
    kind: "unresolved",
    reason: isOutside && reason === "missing" ? "outside" : reason,
    id: idOf("page", page),
  };
}
