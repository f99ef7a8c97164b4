export { arbitraryGraph } from "./arbitrary-graph.ts";
export { buildGraph, type NamedNode, rowsOf } from "./graph-input.ts";
export { id, linked, page, reference, titled } from "./samples.ts";
