import type { Edge } from "@clew/client";

export type LinkKind = Edge["type"];

/** Kinds of links, in the order in which lists show them. */
export const linkKinds = ["link", "mention", "relation", "child"] as const satisfies readonly LinkKind[];
