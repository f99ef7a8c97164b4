import type { Edge } from "@clew/client";

export type LinkKind = Edge["type"];

/** Kinds of links, in the order in which lists show them. */
export const linkKinds = ["link", "mention", "relation", "child"] as const satisfies readonly LinkKind[];

/** All kinds but subpages: the links that people make from one page to another. */
export const referenceKinds = linkKinds.filter((kind) => kind !== "child");

/** The `edge_type` of calls that ask for these links. */
export const referenceTypes = referenceKinds.join(",");
