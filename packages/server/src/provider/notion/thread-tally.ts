import type { NodeType } from "@clew/contract";
import type { Thread } from "../../model/edge.ts";
import type { NodeId } from "../../model/node-id.ts";
import type { HeldThreads } from "../port.ts";
import { notionDialect } from "./dialect.ts";
import { pageOfUrl } from "./page-url.ts";

/** Counts threads: each type, target and name once, with its number of occurrences. */
export interface ThreadTally {
  /** A hyperlink, which counts where it opens a page. */
  link(href: string): void;
  /** A mention, of a page or database unless the provider does not tell. */
  mention(targetId: NodeId, type: NodeType | null): void;
  /** One target of a relation, which is a page. */
  relation(targetId: NodeId, property: string): void;
  /** What something else holds as well. */
  include(held: HeldThreads): void;
  /** The threads so far, in the order of their first occurrence. */
  held(): HeldThreads;
}

export function createThreadTally(dialect = notionDialect): ThreadTally {
  const threads = new Map<string, Thread>();
  const mentioned = new Map<NodeId, NodeType>();
  const count = (type: Thread["type"], targetId: NodeId, name: string | null, times = 1) => {
    const key = JSON.stringify([type, targetId, name]);
    threads.set(key, { type, targetId, name, count: (threads.get(key)?.count ?? 0) + times });
  };
  return {
    link(href) {
      const targetId = pageOfUrl(href, dialect);
      if (targetId !== null) count("link", targetId, null);
    },
    mention(targetId, type) {
      count("mention", targetId, null);
      if (type !== null) mentioned.set(targetId, type);
    },
    relation(targetId, property) {
      count("relation", targetId, property);
      mentioned.set(targetId, "page");
    },
    include(held) {
      for (const { type, targetId, name, count: times } of held.threads) count(type, targetId, name, times);
      for (const { id, type } of held.mentioned) mentioned.set(id, type);
    },
    held: () => ({
      threads: [...threads.values()],
      mentioned: [...mentioned].map(([id, type]) => ({ id, type })),
    }),
  };
}
