import type { GraphPeer, TitlePeer } from "./peer.ts";

/** A peer's kind and label, the packages whose versions are reported, and how to start it. */
export type PeerEntry = { readonly label: string; readonly packages: readonly string[] } & (
  | { readonly kind: "graph"; readonly start: () => Promise<{ readonly peer: GraphPeer }> }
  | { readonly kind: "titles"; readonly start: () => Promise<{ readonly peer: TitlePeer }> }
);

/** All peers by name. Each is imported only in its own process, so other processes do not need its packages. */
export const peers: Readonly<Record<string, PeerEntry>> = {
  graphology: {
    kind: "graph",
    label: "graphology",
    packages: ["graphology", "graphology-shortest-path"],
    start: () => import("./graphology.ts"),
  },
  sqlite: {
    kind: "graph",
    label: "SQLite, recursive SQL",
    packages: ["better-sqlite3"],
    start: () => import("./sqlite.ts"),
  },
  ladybug: {
    kind: "graph",
    label: "LadybugDB",
    packages: ["@ladybugdb/core"],
    start: () => import("./ladybug.ts"),
  },
  kuzu: { kind: "graph", label: "Kuzu", packages: ["kuzu"], start: () => import("./kuzu.ts") },
  surreal: {
    kind: "graph",
    label: "SurrealDB",
    packages: ["surrealdb", "@surrealdb/node"],
    start: () => import("./surreal.ts"),
  },
  minisearch: {
    kind: "titles",
    label: "MiniSearch",
    packages: ["minisearch"],
    start: () => import("./minisearch.ts"),
  },
  fts5: {
    kind: "titles",
    label: "SQLite FTS5, trigrams",
    packages: ["better-sqlite3"],
    start: () => import("./fts5.ts"),
  },
};
