export { arbitraryGraph } from "./arbitrary-graph.ts";
export { buildGraph, type NamedNode, rowsOf } from "./graph-input.ts";
export { id, page, reference, titled } from "./samples.ts";
