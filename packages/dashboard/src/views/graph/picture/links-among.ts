import type { Client, Edge } from "@clew/client";

/** The number of pages that one call takes; a test compares it with the contract. */
export const idsPerCall = 200;

/** The links among some pages. For more pages than a call takes, each pair of its halves is asked for. */
export async function readLinksAmong(
  api: Pick<Client, "listEdges">,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Edge[]> {
  const half = idsPerCall / 2;
  const halves = Array.from({ length: Math.ceil(ids.length / half) }, (_, index) =>
    ids.slice(index * half, (index + 1) * half),
  );
  const calls =
    halves.length <= 2
      ? [ids]
      : halves.flatMap((one, index) => halves.slice(index + 1).map((other) => [...one, ...other]));
  // Without dashes they fit into a URL.
  const undashed = (call: readonly string[]) => call.map((id) => id.replaceAll("-", "")).join(",");
  const answers = await Promise.all(calls.map((call) => api.listEdges({ ids: undashed(call) }, { signal })));
  return answers.flatMap(({ items }) => items);
}
