import type { Entry } from "../workspace/entry.ts";

/**
 * Why a link into the workspace leads to no page. `missing`: nothing has this path or title ·
 * `not_a_page`: a file of another kind · `outside`: above the workspace · `malformed`: not a valid URL path.
 */
export type LinkFault = "missing" | "not_a_page" | "outside" | "malformed";

/**
 * Where a link leads: to a page or database, to somewhere that is none of the workspace's business (`elsewhere`: another
 * site, an address, a place in the same page), or nowhere.
 */
export type Resolution =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "unresolved"; readonly reason: LinkFault };
