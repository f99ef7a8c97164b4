import { agentOf } from "./agent.ts";

/** A tool's call, and the operation that it makes, about one page. */
interface Comparison {
  readonly name: string;
  readonly input: (id: string, other: string) => object;
  readonly path: (id: string, other: string) => string;
}

export const comparisons: readonly Comparison[] = [
  {
    name: "list_links",
    input: (page) => ({ page }),
    path: (id) => `nodes/${id}/neighbors/?limit=50`,
  },
  {
    name: "find_paths",
    input: (from, to) => ({ from, to }),
    path: (from, to) => `paths/?from=${from}&to=${to}&max_paths=3`,
  },
  {
    name: "search_pages",
    input: () => ({ query: "plan", in: "titles", limit: 20 }),
    path: () => "search/?q=plan&limit=20",
  },
];

const rounds = 30;

/** Median times in milliseconds of a tool and of its operation, asked in turn by one client. Earlier rounds warm both up. */
export async function compareLatency(
  clew: URL,
  token: string,
  { name, input, path }: Comparison,
  ids: readonly string[],
): Promise<{ tool: number; operation: number }> {
  const agent = agentOf(clew, token);
  const headers = { authorization: `Bearer ${token}` };
  const times = { tool: [] as number[], operation: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, id] of ids.entries()) {
      const other = ids[(index + 1) % ids.length] ?? id;
      const began = performance.now();
      await agent.send("tools/call", { name, arguments: input(id, other) });
      const between = performance.now();
      await (await fetch(new URL(`api/v1/${path(id, other)}`, clew), { headers })).json();
      if (round < rounds / 3) continue;
      times.tool.push(between - began);
      times.operation.push(performance.now() - between);
    }
  }
  return { tool: median(times.tool), operation: median(times.operation) };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
