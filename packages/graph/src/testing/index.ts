export { arbitraryGraph } from "./arbitrary-graph.ts";
export { id, page, reference, titled } from "./samples.ts";
