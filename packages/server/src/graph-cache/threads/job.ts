import type { Graph } from "@clew/graph";
import type { BlockStore } from "@clew/text-index";
import type { ReadHandle } from "../../store/port.ts";
import type { TextSnapshot } from "../texts/snapshot.ts";

/** What jobs work with. */
export interface JobServices {
  readonly db: ReadHandle;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
  /**
   * Runs `work` on the stored text index as of one moment. Throws `ThreadError` `stale` if the sources' texts were
   * replaced.
   */
  withTexts<T>(sources: readonly Source[], work: (blocks: BlockStore) => Promise<T>): Promise<T>;
}

/** The graph and the texts of a connection. */
export interface Source {
  readonly connectionId: number;
  readonly graph: Graph;
  readonly texts: TextSnapshot;
}
