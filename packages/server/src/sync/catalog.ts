import type { NodeId } from "../model/node-id.ts";
import type { ParentRef } from "../provider/port.ts";

/** What one sync run knows of a workspace, from its beginning to its end. */
export interface Catalog {
  /** Where each node hangs that the run has found, null at the root. */
  readonly parents: Map<NodeId, NodeId | null>;
  /** Ids that were listed or looked up, whatever came of it: none is asked for twice. */
  readonly asked: Set<NodeId>;
  /** The database of each data source. */
  readonly databases: Map<string, NodeId>;
  /** Where each block hangs that was climbed. */
  readonly blocks: Map<string, ParentRef>;
  /** False once something could not be listed or looked up: what is missing then may still be there. */
  isWhole: boolean;
}

export function createCatalog(): Catalog {
  return { parents: new Map(), asked: new Set(), databases: new Map(), blocks: new Map(), isWhole: true };
}
