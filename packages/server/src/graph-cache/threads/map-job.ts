import { mapOf } from "@clew/graph";
import type { JobServices, Source } from "./job.ts";

/** Lays out one graph (GRAPH-30), which takes about a second for a million pages. */
export async function mapJob(
  _services: JobServices,
  sources: readonly Source[],
  { version }: { readonly version: number },
): Promise<Uint8Array> {
  const [source] = sources;
  if (source === undefined) throw new RangeError("a map is of one graph");
  return mapOf(source.graph.columns, version);
}
