import type { Client } from "@clew/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/app-context.ts";
import { useWords } from "./words.ts";

const useQueryOptions = (api: Client) =>
  queryOptions({
    queryKey: ["token-use"],
    queryFn: async ({ signal }) => {
      const { items } = await api.listTokenUse({}, { signal });
      return new Map(items.map(({ token_id, days }) => [token_id, days]));
    },
    refetchInterval: 30_000,
  });

const width = 7;
const gap = 2;
const height = 18;

/** The calls of a token in each of the last seven days, as small bars; nothing without a call. */
export function UseSparkline({ tokenId }: { tokenId: number }) {
  const { data } = useQuery(useQueryOptions(useApi()));
  const days = data?.get(tokenId);
  if (days === undefined) return null;
  const most = Math.max(...days);
  const said = useWords.week(days.reduce((sum, calls) => sum + calls, 0));
  return (
    <svg
      role="img"
      aria-label={said}
      className="mt-1.5 block"
      width={days.length * (width + gap) - gap}
      height={height}
      viewBox={`0 0 ${days.length * (width + gap) - gap} ${height}`}
    >
      <title>{said}</title>
      {days.map((calls, day) => {
        // A day with one call is to be seen beside one with thousands.
        const length = calls === 0 ? 1.5 : Math.max(3, (calls / most) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
            key={day}
            x={day * (width + gap)}
            y={height - length}
            width={width}
            height={length}
            rx="1"
            className={calls === 0 ? "fill-edge" : "fill-thread"}
          />
        );
      })}
    </svg>
  );
}
