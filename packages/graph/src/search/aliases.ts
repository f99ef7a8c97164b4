import type { AliasRow } from "../graph-rows.ts";
import type { IdLookup } from "../id-lookup.ts";
import { packIds } from "../node-ids.ts";
import { GrowingColumn } from "./growing-column.ts";

/** Other names of a graph's nodes. */
export interface Aliases {
  readonly texts: readonly string[];
  /** The node of each; they ascend. */
  readonly owners: Uint32Array;
}

/** The aliases of nodes, which come in the order of their ids. Those of nodes that the graph does not have are left out. */
export function collectAliases(rows: Iterable<AliasRow>, lookUp: IdLookup): Aliases {
  const texts: string[] = [];
  const owners = new GrowingColumn();
  for (const { id, aliases } of rows) {
    const node = lookUp(packIds(id), 0);
    if (node < 0) continue;
    for (const alias of aliases) {
      texts.push(alias);
      owners.push(node);
    }
  }
  return { texts, owners: owners.taken() };
}
