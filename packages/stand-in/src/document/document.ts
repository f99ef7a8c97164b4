import type { LinkFault } from "../links/resolution.ts";
import type { Block } from "./block.ts";

/** A page's text as blocks, without the blocks of its child pages. */
export interface Document {
  readonly blocks: readonly Block[];
  readonly unresolved: readonly UnresolvedLink[];
}

/** A link into the workspace that leads nowhere. */
export interface UnresolvedLink {
  /** As it was written. */
  readonly target: string;
  readonly reason: LinkFault;
}
